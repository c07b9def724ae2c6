import type { Page } from '@playwright/test'
import { readScreens } from '../scripts/screens.mjs'
import { expectAccessible } from './accessible.ts'
import {
  account,
  BROKEN,
  email,
  loginButton,
  logoutItem,
  password,
  REFUSED,
  storedToken,
  submit,
} from './session-page.ts'
import { expect, signIn, storeToken, test } from './test.ts'

const ME = 'GET /api/v1/users/me'
const LOGOUT = 'POST /api/v1/logout'
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

async function readMenu(page: Page) {
  const screens = await readScreens(page)
  const entries = screens.flatMap(({ path, menu }) => (menu ? [{ path, ...menu }] : []))
  const grouped = [...entries.filter(({ group }) => !group), ...entries.filter(({ group }) => group)]
  return grouped.map(({ label, path }) => [label, path] as const)
}

const labelsOf = (menu: Awaited<ReturnType<typeof readMenu>>) => menu.map(([label]) => label)

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

test.describe('guard', () => {
  test('a visitor who opens a screen is sent to login, whichever it is', async ({ page }) => {
    await page.goto('/login')
    const screens = await readScreens(page)
    expect(screens.length).toBeGreaterThan(FIRST_ENTRIES.length)
    for (const path of ['/', ...screens.map((screen) => screen.path.replace('$id', '1'))]) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/login')
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    }
  })

  test('a visitor who opens an unknown address is sent to login', async ({ page }) => {
    for (const path of UNKNOWN) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/login')
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    }
  })

  test('a signed-in user who opens an unknown address is sent to the users list', async ({ page, watchdesk }) => {
    await signIn(page, watchdesk)
    for (const path of ['/', '/login', ...UNKNOWN]) {
      await page.goto(path)
      await expect(page, path).toHaveURL('/users')
      await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
      await expect(page).toHaveTitle('Users · Watchdesk')
    }
  })

  test('going back after a redirect does not return to the address that redirected', async ({ page }) => {
    await page.goto('/users')
    await expect(page).toHaveURL('/login')
    await page.goBack()
    await expect(page).toHaveURL('about:blank')
  })
})

test.describe('signed in', () => {
  test('the top bar names the person, and Logout ends the session here and on the server', async ({
    page,
    watchdesk,
  }) => {
    const token = await signIn(page, watchdesk)
    await page.goto('/users')
    // Calls that are still on their way would be rejected.
    await page.waitForLoadState('networkidle')
    await account(page).click()
    const call = page.waitForResponse('**/api/v1/logout')
    await logoutItem(page).click()
    expect((await call).status()).toBe(204)
    await expect(page).toHaveURL('/login')
    expect(await storedToken(page)).toBeNull()
    await expect(account(page)).toHaveCount(0)
    const later = await page.request.get('/api/v1/users/me', { headers: { authorization: `Bearer ${token}` } })
    expect(later.status()).toBe(401)
  })

  test('the side menu has its entries in their order, and marks the one that is open', async ({ page, watchdesk }) => {
    await signIn(page, watchdesk)
    await page.goto('/dashboards')
    const menu = page.getByRole('navigation', { name: 'Main' })
    const entries = await readMenu(page)
    expect(entries.slice(0, FIRST_ENTRIES.length)).toEqual(FIRST_ENTRIES)
    await expect(menu.getByRole('link')).toHaveText(labelsOf(entries))
    for (const [label, path] of entries) {
      await menu.getByRole('link', { name: label, exact: true }).click()
      await expect(page).toHaveURL(path)
      await expect(menu.locator('[aria-current=page]')).toHaveText(label)
      const heading = page.getByRole('heading', { level: 1 })
      await expect(heading).toHaveText(label)
      await expect(heading).toBeFocused()
      await expect(page).toHaveTitle(`${label} · Watchdesk`)
    }
    await page.getByRole('link', { name: 'Watchdesk' }).click()
    await expect(page).toHaveURL('/users')
  })

  test('on a narrow screen a button opens the menu', async ({ page, watchdesk }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await signIn(page, watchdesk)
    await page.goto('/users')
    await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.getByRole('dialog').getByRole('link')).toHaveText(labelsOf(await readMenu(page)))
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Website config' }).click()
    await expect(page).toHaveURL('/website_config')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('the color scheme follows the system until one is chosen, and the choice stays', async ({ page, watchdesk }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await signIn(page, watchdesk)
    await page.goto('/users')
    const scheme = (value: string) => expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', value)
    await scheme('dark')
    await page.getByRole('button', { name: 'Color scheme' }).click()
    await expectAccessible(page)
    await page.getByRole('menuitemradio', { name: 'Light' }).click()
    await scheme('light')
    await page.reload()
    await scheme('light')
    await page.getByRole('button', { name: 'Color scheme' }).click()
    await page.getByRole('menuitemradio', { name: 'System' }).click()
    await scheme('dark')
  })

  test('a menu is used with the keyboard, and gives the focus back', async ({ page, watchdesk }) => {
    await signIn(page, watchdesk)
    await page.goto('/users')
    const target = page.getByRole('button', { name: 'Color scheme' })
    const item = (name: string) => page.getByRole('menuitemradio', { name })
    await target.focus()
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
    await expect(target).toBeFocused()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')

    await page.keyboard.press('Enter')
    await expect(item('Dark')).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(target).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(account(page)).toBeFocused()
  })

  test('a menu closes with a click on its button, elsewhere, or on another menu', async ({ page, watchdesk }) => {
    await signIn(page, watchdesk)
    await page.goto('/users')
    const menu = page.getByRole('menu')
    await account(page).click()
    await expect(menu).toHaveAccessibleName('Super Admin')
    await account(page).click()
    await expect(menu).toHaveCount(0)
    await account(page).click()
    await page.getByRole('heading', { level: 1 }).click()
    await expect(menu).toHaveCount(0)
    await account(page).click()
    await page.getByRole('button', { name: 'Color scheme' }).click()
    await expect(menu).toHaveAccessibleName('Color scheme')
    await expect(menu).toHaveCount(1)
  })

  test('logging out works even if the server rejects both calls', async ({ page, otherBackend, faults }) => {
    faults.allow(BROKEN)
    faults.allow(REFUSED)
    otherBackend.responses[ME] = { status: 503, body: { detail: 'The database is away.' } }
    otherBackend.responses[LOGOUT] = { status: 500 }
    await storeToken(page, otherBackend.url, 'any')
    await page.goto(`${otherBackend.url}/users`)
    await page.getByRole('button', { name: 'Account' }).click()
    await logoutItem(page).click()
    await expect(page).toHaveURL(`${otherBackend.url}/login`)
    expect(await storedToken(page)).toBeNull()
  })

  test('until the current user is known, the menu has eight entries, or those of the last response before the sign-out', async ({
    page,
    otherBackend,
    faults,
  }) => {
    faults.allow(BROKEN)
    faults.allow(REFUSED)
    const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    const away = { status: 503, body: { detail: 'The database is away.' } }
    otherBackend.responses[ME] = {
      status: 200,
      body: { first_name: 'O', last_name: 'K', is_admin: true, is_super_admin: false },
    }
    await storeToken(page, otherBackend.url, 'any')
    await page.goto(`${otherBackend.url}/users`)
    await expect(entries).toHaveText(['Users', 'Workspaces'])
    otherBackend.responses[ME] = away
    await page.reload()
    await expect(entries).toHaveText(['Users', 'Workspaces'])
    await page.getByRole('button', { name: 'Account' }).click()
    await logoutItem(page).click()
    await expect(page).toHaveURL(`${otherBackend.url}/login`)
    await storeToken(page, otherBackend.url, 'of somebody else')
    await page.goto(`${otherBackend.url}/users`)
    await expect(entries).toHaveText(labelsOf(FIRST_ENTRIES))
  })

  for (const [path, label] of [
    ['/users/create', 'First name'],
    ['/dashboards/create', 'Name'],
  ] as const) {
    test(`a current user that failed to load is requested again: ${path} keeps its form, and the menu of eight entries becomes complete`, async ({
      page,
      watchdesk,
      faults,
    }) => {
      faults.allow(BROKEN)
      await signIn(page, watchdesk)
      let isBroken = true
      await page.route('**/api/v1/users/me', (route) => (isBroken ? route.fulfill({ status: 503 }) : route.continue()))
      await page.clock.install()
      await page.goto(path)
      const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
      const few = labelsOf(FIRST_ENTRIES)
      await expect(entries).toHaveText(few)
      const field = page.getByRole('textbox', { name: label, exact: true })
      // The first response and its retries wait, because the clock is paused.
      await expect(async () => {
        await page.clock.runFor(1_000)
        await field.fill('Half typed', { timeout: 200 })
      }).toPass()
      for (const _ of Array(20)) {
        await page.clock.runFor(1_000)
        await expect(field).toHaveValue('Half typed')
      }
      await expect(entries).toHaveText(few)
      isBroken = false
      const labels = labelsOf(await readMenu(page))
      await expect(async () => {
        await page.clock.runFor(1_000)
        await expect(entries).toHaveText(labels, { timeout: 200 })
      }).toPass()
      await expect(field).toHaveValue('Half typed')
    })
  }

  test('Logout asks before changes are lost, and only then ends the session', async ({ page, watchdesk }) => {
    const token = await signIn(page, watchdesk)
    const calls: string[] = []
    page.on('request', (request) => request.url().endsWith('/logout') && calls.push(request.method()))
    const isSignedIn = async () => {
      const response = await page.request.get('/api/v1/users/me', { headers: { authorization: `Bearer ${token}` } })
      return response.ok()
    }
    await page.goto('/dashboards/create')
    await page.getByRole('textbox', { name: 'Name' }).fill('Half typed')
    await account(page).click()
    await logoutItem(page).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(question).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Half typed')
    expect([calls.length, await isSignedIn(), await storedToken(page)]).toEqual([0, true, token])

    page.on('dialog', () => expect.soft(false, 'the browser asks a second time').toBe(true))
    await account(page).click()
    await logoutItem(page).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect(page).toHaveURL('/login')
    expect([calls, await isSignedIn(), await storedToken(page)]).toEqual([['POST'], false, null])
  })

  test('a page that cannot be loaded offline says so, and opens once online again', async ({
    page,
    context,
    watchdesk,
    faults,
  }) => {
    faults.allow(/Failed to load resource|You are offline/)
    await signIn(page, watchdesk)
    await page.goto('/users')
    await expect(account(page)).toBeVisible()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'PowerBI Dashboards' }).click()
    await expect(page.getByRole('alert')).toContainText('You are offline. Check your connection and try again.')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'PowerBI Dashboards' })).toBeVisible()
  })

  test('a page that cannot be loaded while the server restarts says so, and does not leave the console', async ({
    page,
    watchdesk,
    faults,
  }) => {
    faults.allow(/Failed to load resource|cannot be reached/)
    await signIn(page, watchdesk)
    await page.goto('/users')
    await expect(account(page)).toBeVisible()
    await page.route('**/*', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await page.getByRole('link', { name: 'PowerBI Dashboards' }).click()
    await expect(page.getByRole('alert')).toContainText('The server cannot be reached.')
    await page.unroute('**/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'PowerBI Dashboards' })).toBeVisible()
  })

  test('a 401 on the current user logs out and reloads', async ({ page, watchdesk, faults }) => {
    faults.allow(REFUSED)
    const token = await signIn(page, watchdesk)
    await page.request.post('/api/v1/logout', { headers: { authorization: `Bearer ${token}` } })
    await page.goto('/users')
    await expect(page).toHaveURL('/login')
    expect(await storedToken(page)).toBeNull()
  })

  test('logging out and in in one tab does the same in the others', async ({ page, context, watchdesk, faults }) => {
    // Logging out rejects calls that are still on their way.
    faults.allow(REFUSED)
    await signIn(page, watchdesk)
    await page.goto('/users')
    const other = await context.newPage()
    await other.goto('/users')
    await expect(account(other)).toBeVisible()

    await account(page).click()
    await logoutItem(page).click()
    await expect(other).toHaveURL('/login')

    await submit(other, watchdesk)
    await expect(other).toHaveURL('/users')
    await expect(page).toHaveURL('/users')
  })
})

test.describe('for everyone', () => {
  test('signing in and out needs no mouse', async ({ page, watchdesk }) => {
    await page.goto('/login')
    await expect(email(page)).toBeFocused()
    await page.keyboard.type(watchdesk.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(watchdesk.password)
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

  test('the login page loads at most 120 KB of script and style', async ({ page }) => {
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (['script', 'stylesheet'].includes(request.resourceType())) {
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
      }
    })
    await page.goto('/login', { waitUntil: 'networkidle' })
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThanOrEqual(120 * 1024)
  })
})
