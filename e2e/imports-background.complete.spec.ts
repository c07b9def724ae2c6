import { button, dialog, importFile, newSources, result, toast } from './imports-page.ts'
import { LONG } from './jobs-page.ts'
import { bar, count, openSources } from './monitored-page.ts'
import { expect } from './test.ts'
import { test } from './workspaces-page.ts'

const MANY = 20_001
const IN_BACKGROUND = 'It continues in the background. You will see a message when it ends.'

/** An import of just too many sources for a call, and a text that only their addresses have. */
async function importMany(api: Parameters<typeof importFile>[0]) {
  const rows = newSources(MANY)
  const word = rows[0]?.source_url.replace('https://t.me/', '').replace(/0$/, '') ?? ''
  return { word, ...(await importFile(api, rows)) }
}

test('the country of more than 20,000 sources is changed and put back in the background, with a message on any page', async ({
  page,
  api,
}) => {
  test.setTimeout(300_000)
  const { word } = await importMany(api)
  await openSources(page, { search: word })
  await expect(count(page)).toHaveText('20,001 sources found', LONG)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await button(page, 'Select all 20,001 that match').click()
  await bar(page).getByRole('button', { name: 'Set country' }).click()
  await dialog(page).getByRole('combobox', { name: 'Country' }).fill('germ')
  await page.keyboard.press('Enter')
  await button(page, 'Set the country of 20,001 sources').click()
  await expect(toast(page)).toContainText(`Changing the country of 20,001 sources. ${IN_BACKGROUND}`)
  await expect(dialog(page)).toHaveCount(0)
  await expect(bar(page)).toHaveCount(0)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click()
  const ended = toast(page).filter({ hasText: 'Set the country of 20,001 sources to Germany.' })
  await expect(ended).toBeVisible(LONG)
  await ended.getByRole('link', { name: 'Show or undo' }).click()
  await expect(result(page)).toContainText('Set the country of 20,001 sources to Germany')

  await button(page, 'Undo change').click()
  await expect(dialog(page)).toContainText('Gives 20,001 sources their country back.', LONG)
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(dialog(page)).toHaveCount(0)
  const undone = toast(page).filter({ hasText: 'Undone: Bulk change of sources.' })
  await expect(undone).toContainText('Gave 20,001 sources their country back.', LONG)
  await expect(result(page)).toContainText('Undone by')
  await undone.getByRole('link', { name: 'Show or redo' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Undo: Bulk change of sources')
  await openSources(page, { search: word, country: 'UA' })
  await expect(count(page)).toHaveText('20,001 sources found', LONG)
})
