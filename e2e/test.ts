import { expect, type Page } from '@playwright/test'
import { browserTest } from './browser-test.ts'
import { goToEmpty } from './tab.ts'
import { logIn, startWatchdesk, type Watchdesk } from './watchdesk.ts'

export { expect }

type Fixtures = {
  /** Whether the super admin is signed in when a test starts, in the session that all tests share. */
  isSignedIn: boolean
  sharedSession: undefined
}

/** A journey: the built console with the real server. */
export const test = browserTest.extend<Fixtures, { watchdesk: Watchdesk }>({
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
  token: async ({ watchdesk, isSignedIn }, use) => use(isSignedIn ? await watchdesk.session.token() : undefined),
  sharedSession: [
    async ({ watchdesk }, use) => {
      await use(undefined)
      expect(await watchdesk.session.isOpen(), 'the session that tests share is still open').toBe(true)
    },
    { auto: true },
  ],
})

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

/** On the page itself: `setStorageState` opens a hidden page, which costs a process more. */
export async function storeToken(page: Page, origin: string, token: string) {
  await goToEmpty(page, origin)
  await page.evaluate((value) => {
    // Of whoever was signed in before. The console removes it too.
    localStorage.removeItem('sees_everything')
    localStorage.setItem('access_token', value)
  }, token)
}

/** Goes from an open screen of the console to another one without loading the page, and waits until it is shown. */
export async function goInside(page: Page, address: string) {
  await page.evaluate(async (to) => {
    const router = Reflect.get(window, '__TSR_ROUTER__')
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
    const isShown = () => router.state.status === 'idle' && router.state.resolvedLocation?.href === to
    while (!isShown()) await new Promise(requestAnimationFrame)
  }, address)
}
