import { addFilter, addresses, addSources, chips, count, filters, openSources } from './monitored-page.ts'
import { downloaded } from './sources-page.ts'
import { expect } from './test.ts'
import { button, test, toast, unique } from './workspaces-page.ts'

test('sources are filtered by chips that read as sentences, sorted, and exported as CSV, XLSX and a new sheet', async ({
  page,
  api,
}) => {
  const word = unique('chips')
  await addSources(api, { [`${word}ua`]: 'UA', [`${word}pl`]: 'PL', [`${word}none`]: '', [`x.com/${word}ua`]: 'UA' })
  await openSources(page, { search: word })
  await expect(count(page)).toHaveText('4 sources found')
  await page.getByRole('button', { name: 'Address' }).click()
  await page.getByRole('button', { name: 'Address' }).click()
  await expect(page).toHaveURL(/sort=-url/)
  await expect(addresses(page)).toHaveText([/^twitter.com/, `t.me/${word}ua`, `t.me/${word}pl`, `t.me/${word}none`])
  await addFilter(page, 'Platform', 'TELEGRAM')
  await expect(chips(page)).toHaveText(['Platform: TELEGRAM'])
  await expect(count(page)).toHaveText('3 sources found')
  await addFilter(page, 'Country', 'None')
  await expect(chips(page)).toHaveText(['Platform: TELEGRAM', 'Country: none'])
  await expect(addresses(page)).toHaveText([`t.me/${word}none`])
  // A chip opens its choices again; the name in Ukrainian is found too.
  await filters(page).getByRole('button', { name: 'Country: none', exact: true }).click()
  await filters(page).getByRole('combobox', { name: 'Country' }).fill('Польща')
  await page.keyboard.press('Enter')
  await expect(chips(page)).toHaveText(['Platform: TELEGRAM', 'Country: Poland'])
  await expect(addresses(page)).toHaveText([`t.me/${word}pl`])

  const menu = async (item: string) => {
    await button(page, 'Export').click()
    return page.getByRole('menuitem', { name: item, exact: true })
  }
  const { name, text } = await downloaded(page, await menu('CSV'))
  expect(name).toMatch(/\.csv$/)
  expect(text).toContain(`https://t.me/${word}pl`)
  expect(text).not.toContain(`${word}ua`)
  const xlsx = await downloaded(page, await menu('XLSX'))
  expect(xlsx.name).toMatch(/\.xlsx$/)
  expect(xlsx.content.subarray(0, 2).toString()).toBe('PK')
  await (await menu('New sheet')).click()
  await expect(toast(page)).toContainText('1 source exported to a new sheet.')
  await toast(page).getByRole('link', { name: 'Open the sheet' }).click()
  await expect(page).toHaveURL(/\/sheets\/\d+$/)
  await expect(page.getByRole('grid')).toContainText(`https://t.me/${word}pl`)
  await page.goBack()
  await expect(chips(page)).toHaveText(['Platform: TELEGRAM', 'Country: Poland'])
  await button(page, 'Clear').click()
  await expect(page).toHaveURL(/\/sources(\?sort=-url)?$/)
  await expect(page.getByRole('searchbox')).toHaveValue('')
})
