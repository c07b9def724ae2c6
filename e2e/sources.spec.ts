import { hold } from './hold.ts'
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
import { button, heading, PASSWORD, row, rows, test, toast, unique } from './workspaces-page.ts'

test('a source is listed with its platform, address, country, import and who added it', async ({ page, api }) => {
  const word = unique('listed')
  const import_id = await addSources(api, { [word]: 'Ukraine', [`https://facebook.com/${word}`]: '' })
  await page.goto('/users')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sources', exact: true }).click()
  await expect(page).toHaveURL('/sources')
  await expect(count(page)).toHaveText(/^[\d,]+ sources$/)
  await page.getByRole('searchbox').fill(word)
  await expect(page).toHaveURL(`/sources?search=${word}`)
  await expect(count(page)).toHaveText('2 sources found')
  const source = row(page, `t.me/${word}`)
  for (const text of ['TELEGRAM', 'Ukraine', 'Super Admin']) await expect(source).toContainText(text)
  const link = source.getByRole('link', { name: `t.me/${word}`, exact: true })
  await expect(link).toHaveAttribute('href', `https://t.me/${word}`)
  await expect(link).toHaveAttribute('rel', /noopener/)
  await expect(source.getByTitle('UA')).toHaveText('Ukraine')
  await expect(source.getByRole('link', { name: /import/i })).toHaveAttribute('href', `/imports/${import_id}`)
  await expect(row(page, `facebook.com/${word}`)).toContainText('–')
  const height = (await source.boundingBox())?.height ?? 0
  expect(Math.round(height)).toBe(44)
})

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

test('what is typed while the countries load is not lost', async ({ page }) => {
  await openSources(page)
  await button(page, 'Add filter').click()
  const release = await hold(page, '**/assets/*.js')
  await filters(page).getByRole('button', { name: 'Country', exact: true }).click()
  await page.keyboard.type('germ')
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue('germ')
  await expect(page.getByText('Loading…')).toBeVisible()
  await page.keyboard.press('Enter')
  release()
  await expect(page).toHaveURL(/country=DE/)
})

test('sources are filtered by the import that a link names, and by the days on which they were added', async ({
  page,
  api,
}) => {
  const word = unique('days')
  const import_id = await addSources(api, { [`${word}a`]: '', [`${word}b`]: '' })
  await addSources(api, { [`${word}c`]: '' })
  await openSources(page, { import_id: String(import_id) })
  await expect(chips(page)).toHaveText([/^Import: /])
  await expect(addresses(page)).toHaveText([`t.me/${word}b`, `t.me/${word}a`])
  await button(page, 'Clear').click()

  const today = new Date().toISOString().slice(0, 10)
  await openSources(page, { search: word })
  await filters(page).getByRole('button', { name: 'Add filter' }).click()
  await filters(page).getByRole('button', { name: 'Added', exact: true }).click()
  await page.getByLabel('Added from').fill(today)
  await expect(page).toHaveURL(new RegExp(`added_from=${today}`))
  await expect(chips(page)).toHaveText([/^Added: from /])
  await expect(addresses(page)).toHaveCount(3)
  await page.getByLabel('Added from').fill('')
  await page.getByLabel('Added until').fill('2020-01-31')
  await expect(chips(page)).toHaveText(['Added: until Jan 31, 2020'])
  await expect(page.getByRole('main')).toContainText('No sources match.')
  await page.keyboard.press('Escape')
  await button(page, 'Show all sources').click()
  await expect(page).toHaveURL('/sources')
  await expect(addresses(page).first()).toBeVisible()
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

test('one source is removed from the list, which can be undone', async ({ page, api }) => {
  const word = unique('removed')
  await addSources(api, { [word]: 'UA' })
  await openSources(page, { search: word })
  await button(page, `Remove https://t.me/${word}`).click()
  await expect(page.getByRole('dialog')).toContainText('You can undo this for 30 days, in the Bin.')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page)).toContainText('Source removed.')
  await expect(page.getByRole('main')).toContainText('No sources match.')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(addresses(page)).toHaveText([`t.me/${word}`])
})

test('on a phone, sources are cards, and the filters are in a sheet', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const word = unique('phone')
  await addSources(api, { [`${word}a`]: 'UA', [`${word}b`]: 'PL' })
  await openSources(page, { search: word })
  const cards = page.getByRole('list', { name: 'Sources' }).getByRole('listitem')
  await expect(cards).toHaveCount(2)
  await button(page, 'Filters').click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('combobox', { name: 'Country' }).fill('Ukr')
  await page.getByRole('option', { name: 'Ukraine', exact: true }).click()
  await sheet.getByRole('button', { name: 'Show sources' }).click()
  await expect(cards).toHaveCount(1)
  await expect(cards).toContainText('Ukraine')
  await expect(chips(page)).toHaveText(['Country: Ukraine'])
  await expect(button(page, 'Filters (1)')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('by keyboard: search, filter, open a source and return', async ({ page, api }) => {
  const word = unique('keys')
  await addSources(api, { [word]: 'UA', [`${word}pl`]: 'PL' })
  await openSources(page)
  await page.keyboard.press('/')
  await page.keyboard.type(word)
  await expect(count(page)).toHaveText('2 sources found')
  await page.keyboard.press('Tab')
  await expect(button(page, 'Add filter')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(filters(page).getByRole('button', { name: 'Platform', exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(filters(page).getByRole('combobox', { name: 'Country' })).toBeFocused()
  await page.keyboard.type('ukr')
  await page.keyboard.press('Enter')
  await expect(addresses(page)).toHaveText([`t.me/${word}`])
  await expect(button(page, 'Add filter')).toBeFocused()
  await page.getByRole('link', { name: `Details of https://t.me/${word}` }).focus()
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(`https://t.me/${word}`)
  await page.getByRole('main').getByRole('link', { name: 'Sources' }).click()
  await expect(page).toHaveURL(new RegExp(`search=${word}`))
  await expect(chips(page)).toHaveText(['Country: Ukraine'])
})

test('a failed list says why, and is loaded again', async ({ page, api, faults }) => {
  faults.allow(/status of 500/)
  const word = unique('failed')
  await addSources(api, { [word]: '' })
  let isBroken = true
  await page.route('**/api/v1/sources/?*', (route) =>
    isBroken && route.request().url().includes(word)
      ? route.fulfill({ status: 500, json: { detail: 'The database is not available.' } })
      : route.fallback(),
  )
  await openSources(page, { search: word })
  await expect(page.getByRole('alert')).toContainText('The database is not available.')
  isBroken = false
  await button(page, 'Try again').click()
  await expect(addresses(page)).toHaveText([`t.me/${word}`])
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
