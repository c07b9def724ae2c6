import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { startBrowser } from './browser.ts'
import { type OtherBackend, startOtherBackend } from './other-backend.ts'
import { logIn, startWatchdesk, type Watchdesk } from './watchdesk.ts'

export { expect }

type Fixtures = {
  faults: Faults
  /** A small server that simulates another backend, or a failing one. */
  otherBackend: OtherBackend
  /** Whether the super admin is signed in when a test starts, in the session that all tests share. */
  isSignedIn: boolean
  isBrowserReady: boolean
}

type WorkerFixtures = {
  watchdesk: Watchdesk
  chromium: Awaited<ReturnType<typeof startBrowser>>
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  watchdesk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
    async ({}, use) => {
      const watchdesk = await startWatchdesk()
      await use(watchdesk)
      await watchdesk.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ watchdesk }, use) => use(watchdesk.url),
  isSignedIn: [false, { option: true }],
  // Playwright writes it into the context itself, which costs less than to open a page for it.
  storageState: async ({ watchdesk, isSignedIn }, use) => {
    const localStorage = isSignedIn ? [{ name: 'access_token', value: await watchdesk.session.token() }] : []
    await use({ cookies: [], origins: localStorage.length > 0 ? [{ origin: watchdesk.url, localStorage }] : [] })
  },
  chromium: [
    async ({ playwright }, use) => {
      const chromium = await startBrowser(playwright.chromium)
      await use(chromium)
      await chromium.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  browser: [({ chromium }, use) => use(chromium.browser), { scope: 'worker' }],
  isBrowserReady: async ({ chromium }, use, testInfo) => {
    await chromium.replaceIfBroken(testInfo)
    await use(true)
  },
  // Tests share a context, and Playwright resets all of it but these. It is not shared after a failed test.
  context: async ({ isBrowserReady: _, context }, use) => {
    await use(context)
    if (!context.browser()?.isConnected()) return
    await context.clearPermissions()
    await context.setOffline(false)
  },
  page: async ({ chromium, page }, use, testInfo) => {
    const check = chromium.watch(page, testInfo)
    await use(page)
    await check()
  },
  faults: [
    async ({ context, watchdesk }, use) => {
      const faults = watch(context, watchdesk.url)
      await use(faults)
      expect(faults.unexpected(), 'console messages, page errors and requests elsewhere').toEqual([])
      expect(await watchdesk.session.isOpen(), 'the session that tests share is still open').toBe(true)
    },
    { auto: true },
  ],
  otherBackend: async ({ faults }, use) => {
    const backend = await startOtherBackend()
    faults.allowOrigin(backend.url)
    await use(backend)
    // The page may still call it.
    faults.end()
    await backend.stop()
  },
})

type Faults = {
  /** Allows a message that the test itself provokes. */
  allow: (pattern: RegExp) => void
  allowOrigin: (url: string) => void
  /** What happens from now on is not a fault. */
  end: () => void
  unexpected: () => string[]
}

const PROBES = /\/api\/v1\/((audit|bin|imports|overview|sources)\/\?page_size=1|login\/options)$/

/** Fails the test if a page logs errors, throws, or calls any other server. */
function watch(context: BrowserContext, url: string): Faults {
  const seen: string[] = []
  let hasEnded = false
  const allowed: RegExp[] = []
  const origins = [url]
  const add = (fault: string) => {
    if (!hasEnded) seen.push(fault)
  }
  context.on('console', (message) => {
    // The menu and the login page ask whether a backend has these calls. The browser logs the 404 of those that do not.
    if (PROBES.test(message.location().url)) return
    if (['error', 'warning'].includes(message.type())) add(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => add(`thrown: ${error.error()}`))
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'data:' && !origins.includes(origin)) add(`request: ${request.url()}`)
  })
  return {
    allow: (pattern) => allowed.push(pattern),
    allowOrigin: (other) => origins.push(other),
    end: () => {
      hasEnded = true
    },
    unexpected: () => seen.filter((fault) => !allowed.some((pattern) => pattern.test(fault))),
  }
}

/** Signs a page in as the super admin, in the session that all tests share. */
export async function shareSession(page: Page, { url, session }: Pick<Watchdesk, 'url' | 'session'>) {
  const token = await session.token()
  await storeToken(page, url, token)
  return token
}

/** Signs a page in without using the form, in a new session: for other people, and for tests that end their session. */
export async function signIn(page: Page, person: Pick<Watchdesk, 'url' | 'email' | 'password'>) {
  const token = await logIn(person.url, person)
  await storeToken(page, person.url, token)
  return token
}

/**
 * On the page itself: `setStorageState` opens a hidden page, which costs a process more. The page is empty and has an
 * empty icon: a full browser requests /favicon.ico for a page without one, and logs an error where there is none.
 */
export async function storeToken(page: Page, origin: string, token: string) {
  const empty = `${origin}/empty`
  const body = '<link rel="icon" href="data:,">'
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body }), { times: 1 })
  await page.goto(empty)
  await page.evaluate((value) => {
    // Of whoever was signed in before. The console removes it too.
    localStorage.removeItem('sees_everything')
    localStorage.setItem('access_token', value)
  }, token)
}
