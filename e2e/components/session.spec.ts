import type { Page } from '@playwright/test'
import { listAuditEvents } from '@watchdesk/contract/activity'
import { currentUser, login, logout } from '@watchdesk/contract/auth/session'
import { listBin } from '@watchdesk/contract/bin'
import { listOperations } from '@watchdesk/contract/operations/operations'
import { listSources } from '@watchdesk/contract/sources'
import { readScreens } from '../../scripts/screens.mjs'
import { expectAccessible } from '../accessible.ts'
import { email, loginButton, logoutItem, password, storedToken } from '../session-page.ts'
import { aUser, ME } from './records.ts'
import { expect, test } from './test.ts'

/** The entries in the specification come first, before any others. */
const FIRST_ENTRIES: (readonly [string, string])[] = [
  ['Users', '/users'],
  ['Workspaces', '/workspaces'],
  ['Source management', '/source_management'],
  ['Source import', '/source_import'],
  ['Stories import', '/stories_import'],
  ['Narratives vectorization', '/narratives_vectorization'],
  ['Website config', '/website_config'],
  ['PowerBI Dashboards', '/dashboards'],
]

/** Unknown addresses: all lead to login. */
const UNKNOWN = [
  '/no/such/page',
  '/foo.bar',
  '/workspaces/2.5',
  '/workspaces/abc',
  '/workspaces/0/edit',
  '/users/-1/edit',
  '/dashboards/1e3/edit',
  '/dashboards/99999999999/edit',
]

const account = (page: Page) => page.getByRole('button', { name: 'Olena Kovalenko', exact: true })
const entries = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link')
const colorScheme = (page: Page) => page.getByRole('button', { name: 'Color scheme' })
const expectScheme = (page: Page, value: string) =>
  expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', value)

/** The backend has no overview. */
async function readMenu(page: Page) {
  const screens = await readScreens(page)
  const shown = screens.flatMap(({ path, menu }) => (menu && path !== '/overview' ? [{ path, ...menu }] : []))
  const grouped = [...shown.filter(({ group }) => !group), ...shown.filter(({ group }) => group)]
  return grouped.map(({ label, path }) => [label, path] as const)
}

const labelsOf = (menu: Awaited<ReturnType<typeof readMenu>>) => menu.map(([label]) => label)

test.describe('guard', () => {
  test.use({ isSignedIn: false })

  test('a visitor who opens a screen is sent to login, whichever it is, and so is one who opens an unknown address', async ({
    page,
    open,
  }) => {
    await open('/login')
    const screens = await readScreens(page)
    expect(screens.length).toBeGreaterThan(FIRST_ENTRIES.length)
    for (const path of ['/', ...screens.map((screen) => screen.path.replace('$id', '1')), ...UNKNOWN]) {
      await goTo(page, path)
      await expect(page, path).toHaveURL('/login')
    }
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()

    // Going back does not return to the address that redirected.
    await page.goto('/empty')
    await page.goto('/users')
    await expect(page).toHaveURL('/login')
    await page.goBack()
    await expect(page).toHaveURL('/empty')
  })

  test('signing in and out needs no mouse', async ({ page, backend, open }) => {
    backend.answer(login, { access_token: 'any' })
    backend.answer(logout, undefined)
    await open('/login')
    await expect(email(page)).toBeFocused()
    await page.keyboard.insertText('olena@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.insertText('quiet river stone')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Show password' })).toBeFocused()
    await page.keyboard.press('Space')
    await expect(password(page)).toHaveAttribute('type', 'text')
    await page.keyboard.press('Tab')
    await expect(loginButton(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(account(page)).toBeVisible()

    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    const labels = labelsOf(await readMenu(page))
    await expect(page.getByRole('link', { name: labels.at(-1), exact: true })).toBeFocused()
    // An entry goes when the backend turns out not to have its call.
    await expect(entries(page)).toHaveText(labels)
    for (const _label of labels) await page.keyboard.press('Shift+Tab')
    await expect(account(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(logoutItem(page)).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'My account' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(logoutItem(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/login')
  })
})

test('a signed-in user who opens an unknown address is sent to the users list', async ({ page, open }) => {
  await open('/')
  await expect(page).toHaveURL('/users')
  for (const path of ['/login', ...UNKNOWN]) {
    await goTo(page, path)
    await expect(page, path).toHaveURL('/users')
  }
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
  await expect(page).toHaveTitle('Users · Watchdesk')
})

test('the side menu has its entries in their order, and marks the one that is open', async ({ page, open }) => {
  await open('/dashboards')
  const all = await readMenu(page)
  expect(all.slice(0, FIRST_ENTRIES.length)).toEqual(FIRST_ENTRIES)
  await expect(entries(page)).toHaveText(labelsOf(all))
  const addresses = await entries(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(addresses).toEqual(all.map(([, path]) => path))
  for (const [label, path] of [all[1], all.at(-1)].filter((entry) => entry !== undefined)) {
    await entries(page).filter({ hasText: label }).click()
    await expect(page).toHaveURL(path)
    await expect(entries(page).and(page.locator('[aria-current=page]'))).toHaveText(label)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText(label)
    await expect(heading).toBeFocused()
    await expect(page).toHaveTitle(`${label} · Watchdesk`)
  }
  await page.getByRole('link', { name: 'Watchdesk' }).click()
  await expect(page).toHaveURL('/users')
})

test('on a narrow screen a button opens the menu', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/users')
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('link')).toHaveText(labelsOf(await readMenu(page)))
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Website config' }).click()
  await expect(page).toHaveURL('/website_config')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the color scheme follows the system until one is chosen, and the choice stays', async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await open('/users')
  await expectScheme(page, 'dark')
  await colorScheme(page).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await expectScheme(page, 'light')
  await open('/users')
  await expectScheme(page, 'light')
  await colorScheme(page).click()
  await page.getByRole('menuitemradio', { name: 'System' }).click()
  await expectScheme(page, 'dark')
})

test('a menu is used with the keyboard, gives the focus back, and closes with a click elsewhere or on another menu', async ({
  page,
  open,
}) => {
  await open('/users')
  const item = (name: string) => page.getByRole('menuitemradio', { name })
  await colorScheme(page).focus()
  for (const [key, name] of [
    ['Enter', 'Light'],
    ['ArrowDown', 'Dark'],
    ['End', 'System'],
    ['ArrowDown', 'Light'],
    ['ArrowUp', 'System'],
    ['Home', 'Light'],
    ['d', 'Dark'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(item(name)).toBeFocused()
  }
  await expect(item('System')).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(colorScheme(page)).toBeFocused()
  await expectScheme(page, 'dark')

  await page.keyboard.press('Enter')
  await expect(item('Dark')).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(colorScheme(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(account(page)).toBeFocused()

  const menu = page.getByRole('menu')
  await account(page).click()
  await expect(menu).toHaveAccessibleName('Olena Kovalenko')
  await account(page).click()
  await expect(menu).toHaveCount(0)
  await account(page).click()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(menu).toHaveCount(0)
  await account(page).click()
  await colorScheme(page).click()
  await expect(menu).toHaveAccessibleName('Color scheme')
  await expect(menu).toHaveCount(1)
})

test('until the current user is known, the menu has eight entries, or those of the last response before the sign-out, which works even if it is rejected', async ({
  page,
  backend,
  open,
}) => {
  for (const endpoint of [listAuditEvents, listBin, listOperations, listSources]) backend.refuse(endpoint, 404)
  backend.answer(currentUser, aUser({ is_admin: true }))
  backend.refuse(logout, 500)
  await open('/users')
  await expect(entries(page)).toHaveText(['Users', 'Workspaces'])
  backend.refuse(currentUser, 503, 'The database is away.')
  await page.reload()
  await expect(entries(page)).toHaveText(['Users', 'Workspaces'])
  await page.getByRole('button', { name: 'Account' }).click()
  await logoutItem(page).click()
  await expect(page).toHaveURL('/login')
  expect(await storedToken(page)).toBeNull()
  await page.evaluate(() => localStorage.setItem('access_token', 'of somebody else'))
  await page.goto('/users')
  await expect(entries(page)).toHaveText(labelsOf(FIRST_ENTRIES))
})

test('a current user that failed to load is requested again: a page keeps its form, and the menu of eight entries becomes complete', async ({
  page,
  backend,
}) => {
  backend.refuse(currentUser, 503)
  await page.clock.install()
  // Not for workspace admins.
  await page.goto('/dashboards/create')
  const few = labelsOf(FIRST_ENTRIES)
  await expect(entries(page)).toHaveText(few)
  const field = page.getByRole('textbox', { name: 'Name', exact: true })
  // The first response and its retries wait, because the clock is paused.
  await expect(async () => {
    await page.clock.runFor(1_000)
    await field.fill('Half typed', { timeout: 200 })
  }).toPass()
  const calls = backend.calls(currentUser).length
  await expect(async () => {
    await page.clock.runFor(1_000)
    await expect(field).toHaveValue('Half typed')
    expect(backend.calls(currentUser).length).toBeGreaterThan(calls + 1)
  }).toPass()
  await expect(entries(page)).toHaveText(few)
  backend.answer(currentUser, ME)
  const labels = labelsOf(await readMenu(page))
  await expect(async () => {
    await page.clock.runFor(1_000)
    await expect(entries(page)).toHaveText(labels, { timeout: 200 })
  }).toPass()
  await expect(field).toHaveValue('Half typed')
})

test('Logout asks before changes are lost, and only then ends the session', async ({ page, backend, open, token }) => {
  backend.answer(logout, undefined)
  await open('/dashboards/create')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Half typed')
  await account(page).click()
  await logoutItem(page).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toHaveCount(0)
  await expect(name).toHaveValue('Half typed')
  expect([backend.calls(logout), await storedToken(page)]).toEqual([[], token])

  page.on('dialog', () => expect.soft(false, 'the browser asks a second time').toBe(true))
  await account(page).click()
  await logoutItem(page).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/login')
  expect(await storedToken(page)).toBeNull()
  expect(backend.calls(logout).map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`])
})

test('a 401 on the current user logs out and reloads', async ({ page, backend, open }) => {
  backend.refuse(currentUser, 401, 'Sign in again.')
  await open('/users')
  await expect(page).toHaveURL('/login')
  expect(await storedToken(page)).toBeNull()
})

test.describe('the code of a page', () => {
  // Has loaded none yet.
  test.use({ hasOwnTab: true })

  test('a page that cannot be loaded while the server restarts, or offline, says so, and opens once it can be', async ({
    page,
    context,
    faults,
  }) => {
    faults.allow(/You are offline|cannot be reached/)
    await page.goto('/users')
    await expect(account(page)).toBeVisible()
    await page.route('**/*', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await open('PowerBI Dashboards', 'The server cannot be reached.', () => page.unroute('**/*'))
    await context.setOffline(true)
    const offline = 'You are offline. Check your connection and try again.'
    await open('Website config', offline, () => context.setOffline(false))

    async function open(label: string, problem: string, repair: () => Promise<void>) {
      await page.getByRole('link', { name: label }).click()
      await expect(page.getByRole('alert')).toContainText(problem)
      await repair()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('heading', { name: label })).toBeVisible()
    }
  })
})

/** Within the open console. */
async function goTo(page: Page, address: string) {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, address)
}
