import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
  type WebError,
} from '@playwright/test'
import { startBrowser } from './browser.ts'
import { goToEmpty, keepTab } from './tab.ts'

type Fixtures = {
  faults: Faults
  /** Whether a test has a tab of its own: for options of the browser that cannot be changed later. */
  hasOwnTab: boolean
  /** Who is signed in when a test starts. */
  token: string | undefined
  /** Leaves the page of the test before. */
  leave: (page: Page, origin: string) => Promise<void>
}

type WorkerFixtures = {
  chromium: Awaited<ReturnType<typeof startBrowser>>
  tab: ReturnType<typeof keepTab>
}

export const browserTest = base.extend<Fixtures, WorkerFixtures>({
  hasOwnTab: [false, { option: true }],
  token: [undefined, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this pattern
  leave: ({}, use) => use(goToEmpty),
  chromium: [
    async ({ playwright }, use) => {
      const chromium = await startBrowser(playwright.chromium)
      await use(chromium)
      await chromium.close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  browser: [({ chromium }, use) => use(chromium.browser), { scope: 'worker' }],
  tab: [({ browser }, use) => use(keepTab(browser)), { scope: 'worker' }],
  context: async ({ chromium, tab, baseURL, token, leave, hasOwnTab, viewport, colorScheme }, use, testInfo) => {
    if (await chromium.replaceIfBroken(testInfo)) tab.forget()
    const start = { origin: String(baseURL), token, leave, viewport, colorScheme }
    const { context, page } = hasOwnTab ? await tab.openOwn(start) : await tab.open(start)
    const check = chromium.watch(page, testInfo)
    await use(context)
    await check()
  },
  page: ({ context }, use) => use(context.pages()[0] as Page),
  faults: [
    async ({ context, baseURL }, use) => {
      const faults = watch(context, String(baseURL))
      await use(faults)
      faults.end()
      expect(faults.unexpected(), 'console messages, page errors and requests elsewhere').toEqual([])
    },
    { auto: true },
  ],
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
  const allowed: RegExp[] = []
  const origins = [url]
  const add = (fault: string) => seen.push(fault)
  const onConsole = (message: ConsoleMessage) => {
    // The menu and the login page ask whether a backend has these calls. The browser logs the 404 of those that do not.
    if (PROBES.test(message.location().url)) return
    if (['error', 'warning'].includes(message.type())) add(`${message.type()}: ${message.text()}`)
  }
  const onError = (error: WebError) => add(`thrown: ${error.error()}`)
  const onRequest = (request: Request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'data:' && !origins.includes(origin)) add(`request: ${request.url()}`)
  }
  context.on('console', onConsole)
  context.on('weberror', onError)
  context.on('request', onRequest)
  return {
    allow: (pattern) => allowed.push(pattern),
    allowOrigin: (other) => origins.push(other),
    end: () => {
      context.off('console', onConsole)
      context.off('weberror', onError)
      context.off('request', onRequest)
    },
    unexpected: () => seen.filter((fault) => !allowed.some((pattern) => pattern.test(fault))),
  }
}
