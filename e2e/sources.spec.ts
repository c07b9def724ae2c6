import {
  addFilter,
  addMany,
  addresses,
  addSources,
  chips,
  count,
  downloaded,
  filters,
  idOf,
  openSources,
} from './monitored-page.ts'
import { expect, storeToken } from './test.ts'
import { button, heading, PASSWORD, rows, test, toast, unique } from './workspaces-page.ts'

test('filters are chips that read as sentences, in the address: reload and Back keep them', async ({ page, api }) => {
  const word = unique('chips')
  await addSources(api, { [`${word}ua`]: 'UA', [`${word}pl`]: 'PL', [`${word}none`]: '', [`x.com/${word}ua`]: 'UA' })
  await openSources(page, { search: word })
  await expect(count(page)).toHaveText('4 sources found')
  await addFilter(page, 'Platform', 'TELEGRAM')
  await expect(chips(page)).toHaveText(['Platform: TELEGRAM'])
  await expect(count(page)).toHaveText('3 sources found')
  await addFilter(page, 'Country', 'Ukraine')
  await expect(page).toHaveURL(/country=UA/)
  await expect(chips(page)).toHaveText(['Platform: TELEGRAM', 'Country: Ukraine'])
  await expect(addresses(page)).toHaveText([`t.me/${word}ua`])
  await page.reload()
  await expect(chips(page)).toHaveText(['Platform: TELEGRAM', 'Country: Ukraine'])
  await expect(addresses(page)).toHaveText([`t.me/${word}ua`])

  // A chip opens its choices again; the name in Ukrainian is found too.
  await filters(page).getByRole('button', { name: 'Country: Ukraine', exact: true }).click()
  await filters(page).getByRole('combobox', { name: 'Country' }).fill('Польща')
  await page.keyboard.press('Enter')
  await expect(chips(page)).toHaveText(['Platform: TELEGRAM', 'Country: Poland'])
  await expect(addresses(page)).toHaveText([`t.me/${word}pl`])
  await button(page, 'Remove Country: Poland').click()
  await expect(button(page, 'Add filter')).toBeFocused()
  await addFilter(page, 'Country', 'None')
  await expect(chips(page)).toHaveText(['Platform: TELEGRAM', 'Country: none'])
  await expect(addresses(page)).toHaveText([`t.me/${word}none`])
  await page.goBack()
  await expect(count(page)).toHaveText('3 sources found')

  await button(page, 'Clear').click()
  await expect(page).toHaveURL('/sources')
  await expect(page.getByRole('searchbox')).toHaveValue('')
})

test('sources are sorted by address, platform and country, and pages follow the order', async ({ page, api }) => {
  const word = unique('sorted')
  await addMany(api, word, 21)
  await addSources(api, { [`https://facebook.com/${word}z`]: 'UA' })
  await openSources(page, { search: word })
  await expect(addresses(page).first()).toHaveText(`facebook.com/${word}z`)
  await page.getByRole('button', { name: 'Address' }).click()
  await expect(page).toHaveURL(/sort=url/)
  await expect(addresses(page).first()).toHaveText(`facebook.com/${word}z`)
  await page.getByRole('button', { name: 'Address' }).click()
  await expect(page).toHaveURL(/sort=-url/)
  await expect(addresses(page).first()).toHaveText(`t.me/${word}9`)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(addresses(page).last()).toHaveText(`facebook.com/${word}z`)
  await page.getByRole('button', { name: 'Country' }).click()
  await expect(page).toHaveURL(/sort=country/)
  await expect(addresses(page).first()).toHaveText(`facebook.com/${word}z`)
})

test('what is filtered is exported as CSV, XLSX and a new sheet', async ({ page, api }) => {
  const word = unique('exported')
  await addSources(api, { [`${word}a`]: 'UA', [`${word}b`]: 'PL' })
  await openSources(page, { search: word, country: 'UA' })
  await expect(addresses(page)).toHaveCount(1)
  const menu = async (item: string) => {
    await button(page, 'Export').click()
    return page.getByRole('menuitem', { name: item, exact: true })
  }
  const csv = await downloaded(page, await menu('CSV'))
  expect(csv.name).toMatch(/\.csv$/)
  const text = csv.content.toString('utf8')
  expect(text).toContain(`https://t.me/${word}a`)
  expect(text).not.toContain(`${word}b`)
  const xlsx = await downloaded(page, await menu('XLSX'))
  expect(xlsx.name).toMatch(/\.xlsx$/)
  expect(xlsx.content.subarray(0, 2).toString()).toBe('PK')
  await (await menu('New sheet')).click()
  await expect(toast(page)).toContainText('1 source exported to a new sheet.')
  await toast(page).getByRole('link', { name: 'Open the sheet' }).click()
  await expect(page).toHaveURL(/\/sheets\/\d+$/)
  await expect(page.getByRole('grid')).toContainText(`https://t.me/${word}a`)
})

test('workspace admins have no entry for sources, and no access to them', async ({ page, api, make, watchdesk }) => {
  const word = unique('secret')
  await addSources(api, { [word]: '' })
  const id = await idOf(api, `t.me/${word}`)
  const workspace = await make.workspace()
  const { email } = await make.user(workspace.id, { is_admin: true })
  const login = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  await storeToken(page, watchdesk.url, (await login.json()).access_token)
  for (const path of ['/sources', `/sources/${id}`, '/sources/find']) {
    await page.goto(path)
    await expect(heading(page)).toHaveText("You don't have access to this page")
  }
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Bin' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Sources', exact: true })).toHaveCount(0)
  await expect(rows(page)).toHaveCount(0)
})
