import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expectToast, test } from './history-page.ts'
import { addSources, idOf, openSources } from './monitored-page.ts'
import { expect } from './test.ts'
import { button, dialog, heading, rows, select, toast, unique } from './workspaces-page.ts'

const CONFLICT = /status of 412/

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'About this source' }).getByRole('link', { name })

test('a source shows what is known of it, and its country is changed in place', async ({ page, api, context }) => {
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
  await expect(select(page, 'Country')).toHaveValue('Poland')
  await page.getByLabel('Clear country').click()
  await button(page, 'Save').click()
  await expect.poll(async () => (await api<{ country: null }>('GET', `sources/${id}`)).country).toBe(null)
  await expect(page.getByText(/^Last changed by Super Admin/)).toBeVisible()
})

test('two people change the country of a source: the second one is asked', async ({ page, api, vera, faults }) => {
  faults.allow(CONFLICT)
  const word = unique('clash')
  await addSources(api, { [word]: 'UA' })
  const id = await idOf(api, `t.me/${word}`)
  await page.goto(`/sources/${id}`)
  await expect(select(page, 'Country')).toHaveValue('Ukraine')
  await vera.api('PATCH', `sources/${id}`, { country: 'DE' })
  await select(page, 'Country').fill('Poland')
  await page.keyboard.press('Enter')
  await button(page, 'Save').click()
  await expect(dialog(page)).toHaveAccessibleName('Somebody else changed this source while you were editing')
  await expect(dialog(page)).toContainText('Poland')
  await expect(dialog(page)).toContainText('Germany')
  await dialog(page).getByRole('radio', { name: 'Mine' }).check()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Source saved.')
  expect((await api<{ country: string }>('GET', `sources/${id}`)).country).toBe('PL')
})

test('the imports that changed a source say what they did, and its history who changed it', async ({ page, api }) => {
  const word = unique('touched')
  await addSources(api, { [word]: 'UA' })
  const id = await idOf(api, `t.me/${word}`)
  await api('PATCH', `sources/${id}`, { country: 'PL' })
  await api('POST', 'sources/change', { action: 'set_country', country: 'DE', ids: [id], expected_count: 1 })
  const change = { action: 'remove', ids: [id], expected_count: 1 }
  const { import_id } = await api<{ import_id: number }>('POST', 'sources/change', change)
  await api('POST', `imports/${import_id}/undo`, { changed: 'leave' })
  await page.goto(`/sources/${id}`)
  await tab(page, 'Imports').click()
  await expect(page).toHaveURL(`/sources/${id}?tab=imports`)
  await expect(rows(page)).toHaveText([
    /^Restored this source/,
    /^Removed this source/,
    /^Changed the country, which was Poland/,
    /^Added this source/,
  ])
  await page.reload()
  await expect(tab(page, 'Imports')).toHaveAttribute('aria-current', 'page')
  await tab(page, 'History').click()
  const events = page.getByRole('main')
  await expect(events).toContainText('Super Admin changed the country of')
  await events.getByRole('button', { name: /^Details: Super Admin changed the country/ }).click()
  await expect(events.getByRole('table', { name: 'Changes' })).toContainText('CountryUkrainePoland')
  await expectAccessible(page)
  await page.goBack()
  await expect(tab(page, 'Imports')).toHaveAttribute('aria-current', 'page')
  await rows(page).last().getByRole('link').click()
  await expect(page).toHaveURL(/\/imports\/\d+$/)
})

test('a removed source says so, and is restored from its page', async ({ page, api }) => {
  const word = unique('restored')
  await addSources(api, { [word]: 'UA' })
  const id = await idOf(api, `t.me/${word}`)
  await page.goto(`/sources/${id}`)
  await button(page, 'Remove').click()
  await dialog(page).getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page)).toContainText('Source removed.')
  await expect(page.getByRole('main')).toContainText('This source was removed')
  await expect(button(page, 'Save')).toHaveCount(0)
  await page.reload()
  await expect(heading(page)).toHaveText(`https://t.me/${word}`)
  await expectAccessible(page)
  await button(page, 'Restore').click()
  await expectToast(page, `https://t.me/${word} restored.`)
  await expect(page.getByRole('main')).not.toContainText('This source was removed')
  await expect(select(page, 'Country')).toHaveValue('Ukraine')
})
