import type { Locator, Page } from '@playwright/test'
import type { Sheet } from '@watchdesk/contract/sheets'
import { expectAccessible } from './accessible.ts'
import { PASSWORD, seed, unique } from './seed.ts'
import { REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import { importRows } from './sources-page.ts'
import { expect, storeToken } from './test.ts'

type Api = Parameters<typeof importRows>[0]

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const row = (page: Page, title: string) => page.getByRole('table', { name: 'Sheets' }).getByRole('row', { name: title })
const toast = (page: Page) => page.locator('[data-kind=success]')
const dialog = (page: Page) => page.getByRole('dialog')
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()

/** A sheet of an import, with a title of its own. */
async function newSheet(api: Api, title = unique('Sheet')) {
  const path = await importRows(api, [{ source_url: `https://t.me/${unique('sheet')}` }, { source_url: 'x' }])
  await api('PATCH', `/api/v1${path}`, { title })
  return { path, title, id: Number(path.split('/').at(-1)) }
}

/** A sheet that the website config names. */
async function configuredSheet(api: Api) {
  await api('PATCH', '/api/v1/config/website_config', { sources_sheet_ok: '' })
  const body = { platform: 'OK', type: 'export' }
  const made = await api<{ created_sheet_url: string }>('POST', '/api/v1/source_management/export', body)
  const path = new URL(made.created_sheet_url, 'http://any').pathname
  const title = unique('Configured')
  await api('PATCH', `/api/v1${path}`, { title })
  return { path, title }
}

async function open(page: Page, title: string) {
  await page.goto(`/sheets?search=${encodeURIComponent(title)}`)
  await expect(row(page, title)).toBeVisible()
}

test('lists sheets with their size, owner and origin, and opens them', async ({ page, api }) => {
  const { title, path } = await newSheet(api)
  await page.goto('/sheets')
  await expect(page).toHaveTitle('Sheets · Watchdesk')
  await expect(page.getByRole('columnheader')).toHaveText([
    'ID',
    'Title',
    'Origin',
    'Owner',
    'Size',
    'Last changed',
    'Moves to bin',
    'Actions',
  ])
  await expect(row(page, title)).toContainText('Source import')
  await expect(row(page, title)).toContainText('Super Admin')
  await expect(row(page, title)).toContainText(/2 rows \d+ B/)
  await expect(row(page, title)).toContainText('in 90 days')
  await row(page, title).getByRole('link', { name: title }).click()
  await expect(page).toHaveURL(path)
  await expect(heading(page)).toHaveText(title)
  await page.getByRole('main').getByRole('link', { name: 'Sheets', exact: true }).click()
  await expect(page).toHaveURL('/sheets')
  await expect(heading(page)).toHaveText('Sheets')
})

test('search, filter and order are in the address', async ({ page, api }) => {
  const name = unique('Order')
  for (const letter of ['b', 'a']) await newSheet(api, `${name} ${letter}`)
  await page.goto('/sheets')
  await page.getByRole('searchbox', { name: 'Search title' }).fill(name.toUpperCase())
  const titles = page.getByRole('table').getByRole('link', { name })
  await expect(titles).toHaveText([`${name} a`, `${name} b`])
  await press(page, 'Title')
  await press(page, 'Title')
  await expect(titles).toHaveText([`${name} b`, `${name} a`])
  await expect(page).toHaveURL(/search=.*sort=-title|sort=-title.*search=/)
  await page.reload()
  await expect(titles).toHaveText([`${name} b`, `${name} a`])
  await page.goto(`/sheets?origin=source_management&search=${name}`)
  await expect(page.getByText('No sheets match.')).toBeVisible()
  await press(page, 'Show all sheets')
  await expect(row(page, `${name} a`)).toBeVisible()
})

test('a sheet is renamed in the list and on its page', async ({ page, api }) => {
  const { title, path } = await newSheet(api)
  await open(page, title)
  await press(page, `Rename ${title}`)
  const field = dialog(page).getByRole('textbox', { name: 'Title' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(title)
  await field.fill('   ')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('Title is required!')
  await expectAccessible(page)
  await field.fill(`${title} renamed`)
  await press(dialog(page), 'Rename')
  await expect(toast(page)).toContainText(`Sheet renamed to “${title} renamed”.`)
  await expect(row(page, `${title} renamed`)).toBeVisible()

  await page.goto(path)
  await press(page, 'Rename')
  await field.fill(`${title} again`)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(`${title} again`)
  expect((await api<Sheet>('GET', `/api/v1${path}`)).title).toBe(`${title} again`)
})

test('renaming a sheet keeps the place in its rows', async ({ page, api }) => {
  const word = unique('place')
  const rows = Array.from({ length: 300 }, (_, index) => ({ source_url: `https://t.me/${word}_${index}` }))
  await page.goto(await importRows(api, rows))
  const grid = page.getByRole('grid')
  await grid.press('End')
  await expect(grid).toContainText(`${word}_299`)
  await press(page, 'Rename')
  await dialog(page).getByRole('textbox', { name: 'Title' }).fill(word)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(word)
  await expect(grid).toContainText(`${word}_299`)
  expect(await grid.evaluate((element) => element.scrollTop)).toBeGreaterThan(1000)
})

test('a title that somebody else changed meanwhile is not overwritten', async ({ page, api, faults }) => {
  faults.allow(REFUSED)
  const { title, path } = await newSheet(api)
  await open(page, title)
  await press(page, `Rename ${title}`)
  await api('PATCH', `/api/v1${path}`, { title: `${title} theirs` })
  await dialog(page).getByRole('textbox').fill('Mine')
  await press(dialog(page), 'Rename')
  await expect(dialog(page)).toContainText(/This sheet was changed by Super Admin today at/)
  await press(dialog(page), 'Cancel')
  await expect(row(page, `${title} theirs`)).toBeVisible()
})

test('a deleted sheet can be restored from the message and from the bin', async ({ page, api, faults }) => {
  faults.allow(REFUSED)
  const { title, path } = await newSheet(api)
  await open(page, title)
  await press(page, `Delete ${title}`)
  await expect(dialog(page)).toContainText(`This deletes “${title}” with 2 rows. The sources stay.`)
  await press(dialog(page), 'Delete')
  await expect(toast(page)).toContainText('Sheet deleted.')
  await expect(page.getByText('No sheets match.')).toBeVisible()
  await press(page, 'Undo')
  await expect(toast(page)).toHaveText(`${title} restored.`)
  await expect(row(page, title)).toBeVisible()

  await page.goto(path)
  await press(page, 'Delete')
  await press(dialog(page), 'Delete')
  await expect(page).toHaveURL('/sheets')
  await expect(toast(page)).toContainText('Sheet deleted.')
  await page.goto(path)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Sheet not found.')

  await page.goto(`/bin?kind=sheet&search=${encodeURIComponent(title)}`)
  const deleted = page.getByRole('row', { name: title })
  await expect(deleted).toContainText('Sheet')
  await expect(deleted).toContainText('2 rows')
  await press(page, `Restore ${title}`)
  await expect(toast(page)).toContainText(`${title} restored.`)
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL(path)
  await expect(heading(page)).toHaveText(title)
})

test('a sheet that the website config uses is marked, and cannot be deleted', async ({ page, api, faults }) => {
  faults.allow(REFUSED)
  const { title } = await configuredSheet(api)
  await open(page, title)
  await expect(row(page, title)).toContainText('Used by website config')
  await expect(row(page, title)).toContainText('never')
  await expect(row(page, title)).toContainText('Source management')
  await press(page, `Delete ${title}`)
  await press(dialog(page), 'Delete')
  const refused = page.locator('[data-kind=error]')
  await expect(refused).toContainText('The website config uses this sheet as sources_sheet_ok.')
  await expect(row(page, title)).toBeVisible()
  await refused.getByRole('link', { name: 'Open the website config' }).click()
  await expect(page).toHaveURL('/website_config')
})

test('fits a phone as cards', async ({ page, api }) => {
  const { title } = await newSheet(
    api,
    unique('A sheet with a title that is too long for one line of a card on a phone'),
  )
  await configuredSheet(api)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/sheets')
  const card = page.getByRole('list', { name: 'Sheets' }).getByRole('listitem').filter({ hasText: title })
  await expect(card).toContainText('Moves to bin in 90 days')
  await press(card, `Rename ${title}`)
  await dialog(page).getByRole('textbox').fill(`${title}!`)
  await press(dialog(page), 'Rename')
  await expect(page.getByRole('listitem').filter({ hasText: `${title}!` })).toBeVisible()
})

test('a workspace admin has no access', async ({ page, watchdesk }) => {
  const admin = await seed(page, watchdesk)
  const { id } = await admin.workspace(unique('Desk'))
  const { email } = await admin.user(id, { is_admin: true })
  const login = await page.request.post('/api/v1/login', { data: { email, password: PASSWORD } })
  await storeToken(page, watchdesk.url, (await login.json()).access_token)
  await page.goto('/sheets')
  await expect(heading(page)).toHaveText("You don't have access to this page")
})

test('a backend without sheets shows that the page is not available', async ({ page, otherBackend, faults }) => {
  faults.allow(REFUSED)
  await storeToken(page, otherBackend.url, 'any')
  await page.goto(`${otherBackend.url}/sheets`)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Not Found')
  await expect(heading(page)).toHaveText('Sheets')
})
