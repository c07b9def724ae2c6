import { expectAccessible } from './accessible.ts'
import {
  addMany,
  addresses,
  addSources,
  bar,
  box,
  count,
  idOf,
  openSources,
  setCountryOfTwo,
} from './monitored-page.ts'
import { expectRow } from './sources-page.ts'
import { expect } from './test.ts'
import { button, dialog, test, toast, unique } from './workspaces-page.ts'

test('selected sources are removed, after a question with their number, and the removal is undone', async ({
  page,
  api,
}) => {
  const word = unique('chosen')
  await addMany(api, word, 5)
  await openSources(page, { search: word })
  // The newest first: 4, 3, 2, 1, 0.
  await box(page, `${word}4`).check()
  await box(page, `${word}2`).click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('3 selected')
  await expect(bar(page).getByRole('button', { name: 'Select all 5 that match' })).toBeVisible()
  await bar(page).getByRole('button', { name: 'Remove' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Remove 3 sources?')
  await expect(dialog(page)).toContainText('The 3 selected sources are no longer monitored.')
  await button(page, 'Remove 3 sources').click()
  await expect(toast(page)).toContainText('3 sources removed.')
  await expect(addresses(page)).toHaveText([`t.me/${word}1`, `t.me/${word}0`])
  await expect(bar(page)).toHaveCount(0)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).last()).toContainText('3 sources restored.')
  await expect(addresses(page)).toHaveCount(5)
})

test('all that match get a country, with their number and the filter in the question', async ({ page, api }) => {
  const word = unique('every')
  await addMany(api, word, 23, 'PL')
  await addSources(api, { [`${word}other`]: 'UA' })
  await openSources(page, { search: word, country: 'PL', platform: 'TELEGRAM' })
  await expect(addresses(page)).toHaveCount(20)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(bar(page)).toContainText('20 selected')
  await button(page, 'Select all 23 that match').click()
  await expect(bar(page)).toContainText('23 selected')
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(addresses(page)).toHaveCount(3)
  await expect(box(page, `${word}0`)).toBeChecked()
  await bar(page).getByRole('button', { name: 'Set country' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Set the country of 23 sources')
  await expect(dialog(page)).toContainText(
    `All 23 sources on TELEGRAM, in Poland, and with “${word}” in the address will have this country.`,
  )
  const send = dialog(page).getByRole('button', { name: 'Set the country of 23 sources' })
  await send.click()
  const country = dialog(page).getByRole('combobox', { name: 'Country' })
  await expect(country).toHaveAccessibleDescription('Choose a country.')
  await country.fill('germ')
  await page.keyboard.press('Enter')
  await expect(country).toHaveValue('Germany')
  await expectAccessible(page)
  const request = page.waitForRequest('**/api/v1/sources/change')
  await send.click()
  expect((await request).postDataJSON()).toEqual({
    action: 'set_country',
    country: 'DE',
    expected_count: 23,
    filter: { search: word, country: 'PL', platform: 'TELEGRAM' },
  })
  await expect(toast(page)).toContainText('Country of 23 sources set to Germany.')
  await expect(page.getByRole('main')).toContainText('No sources match.')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(count(page)).toHaveText('23 sources found')
  const undone = toast(page).filter({ hasText: 'Country of 23 sources put back.' })
  await undone.getByRole('button', { name: 'Redo' }).click()
  const redone = toast(page).filter({ hasText: 'Country of 23 sources set to Germany.' })
  await expect(page.getByRole('main')).toContainText('No sources match.')
  await redone.getByRole('button', { name: 'Undo' }).click()
  await expect(count(page)).toHaveText('23 sources found')
})

test('selected sources that are gone in the meantime are not counted', async ({ page, api, faults }) => {
  faults.allow(/status of 409/)
  const word = unique('gone')
  await addMany(api, word, 2)
  await openSources(page, { search: word })
  await expect(addresses(page)).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await api('DELETE', `sources/${await idOf(api, `t.me/${word}1`)}`)
  await setCountryOfTwo(page, 'No country')
  await expect(dialog(page)).toHaveAccessibleName('Set the country of 1 source')
  await expect(dialog(page).getByRole('combobox', { name: 'Country' })).toHaveValue('No country')
  await button(page, 'Set the country of 1 source').click()
  await expect(toast(page)).toContainText('Nothing had to be changed.')
})

test('the page of a change lists what was changed, and undoes it', async ({ page, api }) => {
  const word = unique('listed')
  await addSources(api, { [`${word}a`]: 'PL', [`${word}b`]: '' })
  await openSources(page, { search: word })
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await setCountryOfTwo(page, 'germ')
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Set the country of 2 sources to Germany')
  await expectRow(page, 1, new RegExp(`t.me/${word}a.*Poland.*Germany`))
  await expectRow(page, 2, new RegExp(`t.me/${word}b.*no country.*Germany`))
  await button(page, 'Undo change').click()
  await expect(dialog(page)).toHaveAccessibleName('Undo the bulk change of sources?')
  await button(page, 'Undo').click()
  await expect(toast(page).last()).toContainText('Undone: Bulk change of sources. Gave 2 sources their country back.')
  await toast(page).last().getByRole('link', { name: 'Show' }).click()
  await expect(page.getByRole('main')).toContainText('It undid the bulk change of sources.')
  await page.getByRole('main').getByRole('button', { name: 'Redo' }).click()
  await expect(dialog(page)).toContainText('Changes the country of 2 sources again.')
})
