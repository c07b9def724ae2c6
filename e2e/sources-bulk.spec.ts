import { addresses, addSources, bar, box, count, openSources } from './monitored-page.ts'
import { expect } from './test.ts'
import { button, dialog, test, toast, unique } from './workspaces-page.ts'

test('all that match get a country, with their number and the filter in the question; some are removed; both are undone', async ({
  page,
  api,
}) => {
  const word = unique('every')
  const many = Array.from({ length: 23 }, (_, index) => [`${word}${index}`, 'PL'])
  await addSources(api, { ...Object.fromEntries(many), [`${word}other`]: 'UA' })
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
  await expect(toast(page).filter({ hasText: 'Country of 23 sources put back.' })).toBeVisible()

  // The newest first.
  await box(page, `${word}22`).check()
  await box(page, `${word}20`).click({ modifiers: ['Shift'] })
  await bar(page).getByRole('button', { name: 'Remove' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Remove 3 sources?')
  await expect(dialog(page)).toContainText('The 3 selected sources are no longer monitored.')
  await button(page, 'Remove 3 sources').click()
  const removed = toast(page).filter({ hasText: '3 sources removed.' })
  await expect(removed).toBeVisible()
  await expect(count(page)).toHaveText('20 sources found')
  await expect(bar(page)).toHaveCount(0)
  await removed.getByRole('button', { name: 'Undo' }).click()
  await expect(count(page)).toHaveText('23 sources found')
})
