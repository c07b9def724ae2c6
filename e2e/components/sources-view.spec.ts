import { getSource, listImportsOfSource, updateSource } from '@watchdesk/contract/sources'
import { button, dialog, rows, select, toast } from '../workspaces-page.ts'
import { Refusal } from './backend.ts'
import { aSource } from './records.ts'
import { expect, test } from './test.ts'

test('unsaved changes are kept while another tab is open, asked about before the page is left, and merged with those of others', async ({
  page,
  backend,
  open,
}) => {
  const source = aSource({ country: 'UA' })
  backend.answer(getSource, { ...source, deleted_at: null })
  backend.answer(listImportsOfSource, {
    objects: (['restored', 'removed', 'country', 'added'] as const).map((effect, id) => ({
      import: { id: id + 1, kind: 'source_import' as const, name: null },
      at: source.created_at,
      by: null,
      effect,
      before: effect === 'country' ? 'DE' : null,
    })),
  })
  const tabs = page.getByRole('navigation', { name: 'About this source' })
  await open('/sources/1')
  await select(page, 'Country').fill('Poland')
  await page.keyboard.press('Enter')
  await tabs.getByRole('link', { name: 'Imports' }).click()
  await expect(rows(page)).toHaveText([
    /^Restored this source/,
    /^Removed this source/,
    /^Changed the country, which was Germany/,
    /^Added this source/,
  ])
  await tabs.getByRole('link', { name: 'Details' }).click()
  await expect(select(page, 'Country')).toHaveValue('Poland')
  await page.getByRole('main').getByRole('link', { name: 'Sources', exact: true }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave without saving?')
  await button(page, 'Stay').click()
  await expect(select(page, 'Country')).toHaveValue('Poland')

  // Two people change the country: the second one is asked.
  backend.answer(updateSource, ({ body, headers }) => {
    if (headers['if-match'] === '"2"') return { ...source, ...body, version: 3 }
    backend.answer(getSource, { ...source, country: 'DE', version: 2, deleted_at: null })
    return new Refusal(412, 'This source was changed by Vera Moroz.')
  })
  await button(page, 'Save').click()
  await expect(dialog(page)).toHaveAccessibleName('Somebody else changed this source while you were editing')
  await expect(dialog(page)).toContainText('Poland')
  await expect(dialog(page)).toContainText('Germany')
  await dialog(page).getByRole('radio', { name: 'Mine' }).check()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(toast(page)).toContainText('Source saved.')
})
