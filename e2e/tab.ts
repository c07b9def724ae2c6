import type { Browser, BrowserContext, Page, ViewportSize } from '@playwright/test'

type Start = {
  origin: string
  /** Nobody is signed in without one. */
  token: string | undefined
  leave: (page: Page, origin: string) => Promise<void>
  viewport: ViewportSize | null
  colorScheme: 'light' | 'dark' | 'no-preference' | null | undefined
}

type Tab = { context: BrowserContext; page: Page; isSpoiled: boolean }

/** What tests listen to. */
const EVENTS = ['dialog', 'download', 'filechooser', 'request', 'requestfailed', 'requestfinished', 'response'] as const

/**
 * The tab that the tests of a worker use, one after the other. It never leaves the console's origin and keeps its cache:
 * Playwright's `reuseContext` clears it and goes to an empty page before every test, for which Chromium starts two processes.
 */
export function keepTab(browser: Browser) {
  let tab: Tab | undefined
  let own: Tab | undefined
  return {
    async open(start: Start) {
      await own?.context.close()
      own = undefined
      if (!tab || tab.isSpoiled || tab.page.isClosed()) {
        await tab?.context.close()
        tab = await newTab(browser)
      }
      await reset(tab, start)
      return tab
    },
    /** Another tab, for one test. The kept one waits on an empty page. */
    async openOwn(start: Start) {
      await own?.context.close()
      if (tab && !tab.isSpoiled && !tab.page.isClosed()) {
        await reset(tab, { ...start, origin: new URL(tab.page.url()).origin, token: undefined })
      }
      own = await newTab(browser)
      await reset(own, start)
      return own
    },
    /** With a browser that may not respond any more. */
    forget() {
      tab = undefined
      own = undefined
    },
  }
}

async function newTab(browser: Browser): Promise<Tab> {
  const context = await browser.newContext()
  await context.addInitScript(stopMotion)
  const page = await context.newPage()
  const tab = { context, page, isSpoiled: false }
  // What they do to a page cannot be undone.
  for (const [target, name] of [
    [page, 'addInitScript'],
    [page, 'exposeFunction'],
    [page.clock, 'install'],
    [context, 'addInitScript'],
    [context, 'newCDPSession'],
  ] as const) {
    const call = Reflect.get(target, name)
    Reflect.set(target, name, (...args: unknown[]) => {
      tab.isSpoiled = true
      return call.apply(target, args)
    })
  }
  return tab
}

/** What moves and fades takes a sixth of the time of the tests. Runs in the page. */
function stopMotion() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { transition: none !important; animation-duration: 0s !important; }')
  document.adoptedStyleSheets = [sheet]
}

async function reset({ context, page }: Tab, { origin, token, leave, viewport, colorScheme }: Start) {
  for (const event of EVENTS) page.removeAllListeners(event)
  // First: what is done to a context fails if one of its pages closes meanwhile.
  await Promise.all(context.pages().map((other) => other !== page && other.close()))
  await Promise.all([
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
  ])
  await Promise.all([
    leave(page, origin),
    context.clearCookies(),
    context.clearPermissions(),
    page.emulateMedia({ colorScheme: colorScheme ?? null, media: null, reducedMotion: null }),
    viewport && page.setViewportSize(viewport),
  ])
  await page.evaluate((value) => {
    sessionStorage.clear()
    localStorage.clear()
    if (value) localStorage.setItem('access_token', value)
  }, token)
}

/**
 * An empty page of the console's origin. It has an empty icon: a full browser requests /favicon.ico for a page without
 * one, and logs an error where there is none.
 */
export async function goToEmpty(page: Page, origin: string) {
  const empty = `${origin}/empty`
  const body = '<link rel="icon" href="data:,">'
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body }), { times: 1 })
  await page.goto(empty)
}
