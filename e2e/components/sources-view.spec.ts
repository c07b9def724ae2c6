import { getSource, listImportsOfSource } from '@watchdesk/contract/sources'
import { button, dialog, heading, rows, select } from '../workspaces-page.ts'
import { aSource } from './records.ts'
import { expect, test } from './test.ts'

test('unsaved changes are kept while another tab is open, and asked about before the page is left', async ({
  page,
  backend,
  open,
}) => {
  const source = aSource({ country: 'UA' })
  backend.answer(getSource, { ...source, deleted_at: null })
  backend.answer(listImportsOfSource, {
    objects: [
      {
        import: { id: 3, kind: 'source_import', name: null },
        at: source.created_at,
        by: null,
        effect: 'added',
        before: null,
      },
    ],
  })
  const tabs = page.getByRole('navigation', { name: 'About this source' })
  await open('/sources/1')
  await select(page, 'Country').fill('Poland')
  await page.keyboard.press('Enter')
  await tabs.getByRole('link', { name: 'Imports' }).click()
  await expect(rows(page)).toHaveCount(1)
  await tabs.getByRole('link', { name: 'Details' }).click()
  await expect(select(page, 'Country')).toHaveValue('Poland')
  await page.getByRole('main').getByRole('link', { name: 'Sources', exact: true }).click()
  await expect(dialog(page)).toHaveAccessibleName('Leave without saving?')
  await button(page, 'Stay').click()
  await expect(select(page, 'Country')).toHaveValue('Poland')
})

test('a source that does not exist leads back to the list', async ({ page, backend, open }) => {
  backend.refuse(getSource, 404, 'Source not found.')
  await open('/sources/2147483647')
  await expect(page.getByRole('alert')).toContainText('Source not found.')
  await page.getByRole('link', { name: 'Back to sources' }).click()
  await expect(heading(page)).toHaveText('Sources')
})
