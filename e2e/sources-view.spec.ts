import type { Page } from '@playwright/test'
import { expectToast, test } from './history-page.ts'
import { addSources, idOf, openSources } from './monitored-page.ts'
import { expect } from './test.ts'
import { button, dialog, heading, rows, select, toast, unique } from './workspaces-page.ts'

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'About this source' }).getByRole('link', { name })

test('a source shows what is known of it, its country is changed in place, and it is removed and restored; its imports and its history say so', async ({
  page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const word = unique('viewed')
  const import_id = await addSources(api, { [word]: 'UA' })
  const id = await idOf(api, `t.me/${word}`)
  await openSources(page, { search: word })
  await page.getByRole('link', { name: `Details of https://t.me/${word}` }).click()
  await expect(page).toHaveURL(`/sources/${id}`)
  await expect(heading(page)).toHaveText(`https://t.me/${word}`)
  const main = page.getByRole('main')
  for (const text of ['TELEGRAM', 'by Super Admin', 'Last change']) await expect(main).toContainText(text)
  await expect(main.getByRole('link', { name: /Source import/ })).toHaveAttribute('href', `/imports/${import_id}`)
  const address = main.getByRole('link', { name: 'Open address' })
  await expect(address).toHaveAttribute('href', `https://t.me/${word}`)
  await expect(address).toHaveAttribute('rel', /noopener/)
  await button(page, 'Copy address').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`https://t.me/${word}`)

  await expect(select(page, 'Country')).toHaveValue('Ukraine')
  await select(page, 'Country').fill('Poland')
  await page.keyboard.press('Enter')
  await expect(main).toContainText('Unsaved changes')
  await button(page, 'Save').click()
  await expectToast(page, 'Source saved.')
  await expect(main).not.toContainText('Unsaved changes')
  await expect(page.getByText(/^Last changed by Super Admin/)).toBeVisible()
  expect((await api<{ country: string }>('GET', `sources/${id}`)).country).toBe('PL')

  await button(page, 'Remove').click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page)).toContainText('Source removed.')
  await expect(main).toContainText('This source was removed')
  await expect(button(page, 'Save')).toHaveCount(0)
  await button(page, 'Restore').click()
  await expectToast(page, `https://t.me/${word} restored.`)
  await expect(main).not.toContainText('This source was removed')
  await expect(select(page, 'Country')).toHaveValue('Poland')

  await tab(page, 'Imports').click()
  await expect(page).toHaveURL(`/sources/${id}?tab=imports`)
  await expect(rows(page)).toHaveText([/^Added this source/])
  await tab(page, 'History').click()
  await main.getByRole('button', { name: /^Details: Super Admin changed the country/ }).click()
  await expect(main.getByRole('table', { name: 'Changes' })).toContainText('CountryUkrainePoland')
})
