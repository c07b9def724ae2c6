import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type OtherBackend, startOtherBackend } from './other-backend.ts'
import { startWatchdesk, type Watchdesk } from './watchdesk.ts'

export { expect }

type Fixtures = {
  faults: Faults
  /** A small server that simulates another backend, or a failing one. */
  otherBackend: OtherBackend
}

export const test = base.extend<Fixtures, { watchdesk: Watchdesk }>({
  watchdesk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
    async ({}, use) => {
      const watchdesk = await startWatchdesk()
      await use(watchdesk)
      await watchdesk.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ watchdesk }, use) => use(watchdesk.url),
  faults: [
    async ({ context, watchdesk }, use) => {
      const faults = watch(context, watchdesk.url)
      await use(faults)
      expect(faults.unexpected(), 'console messages, page errors and requests elsewhere').toEqual([])
    },
    { auto: true },
  ],
  otherBackend: async ({ faults }, use) => {
    const backend = await startOtherBackend()
    faults.allowOrigin(backend.url)
    await use(backend)
    await backend.stop()
  },
})

type Faults = {
  /** Allows a message that the test itself provokes. */
  allow: (pattern: RegExp) => void
  allowOrigin: (url: string) => void
  unexpected: () => string[]
}

const PROBES = /\/api\/v1\/((audit|bin|imports|overview|sources)\/\?page_size=1|login\/options)$/

/** Fails the test if a page logs errors, throws, or calls any other server. */
function watch(context: BrowserContext, url: string): Faults {
  const seen: string[] = []
  const allowed: RegExp[] = []
  const origins = [url]
  context.on('console', (message) => {
    // The menu and the login page ask whether a backend has these calls. The browser logs the 404 of those that do not.
    if (PROBES.test(message.location().url)) return
    if (['error', 'warning'].includes(message.type())) seen.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => seen.push(`thrown: ${error.error()}`))
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'data:' && !origins.includes(origin)) seen.push(`request: ${request.url()}`)
  })
  return {
    allow: (pattern) => allowed.push(pattern),
    allowOrigin: (other) => origins.push(other),
    unexpected: () => seen.filter((fault) => !allowed.some((pattern) => pattern.test(fault))),
  }
}

/** Signs a page in without using the form. */
export async function signIn(page: Page, { url, email, password }: Pick<Watchdesk, 'url' | 'email' | 'password'>) {
  const response = await page.request.post(`${url}/api/v1/login`, { data: { email, password } })
  const { access_token } = await response.json()
  await storeToken(page, url, access_token)
  return String(access_token)
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
  await page.evaluate((value) => localStorage.setItem('access_token', value), token)
}
