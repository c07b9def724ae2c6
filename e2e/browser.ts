import type { Browser, BrowserType, Page, TestInfo } from '@playwright/test'
import { BROWSER_FAULT } from './browser-reporter.ts'

/** Far longer than a browser needs to respond on a busy machine. */
const PATIENCE_MS = 20_000

/**
 * Playwright starts another browser only after a failed test. This one is also started anew before a test, if it has
 * crashed or hangs since the test before. No test is repeated: one in whose middle that happens fails.
 */
export async function startBrowser(type: BrowserType) {
  let current = await type.launch()
  let isBroken = false
  const browser = new Proxy(current, {
    get(_, name) {
      const value = Reflect.get(current, name)
      return typeof value === 'function' ? value.bind(current) : value
    },
  })
  return {
    browser,
    async replaceIfBroken(test: TestInfo) {
      if (!isBroken && (await responds(() => pingBrowser(current)))) return false
      report(test, 'was started anew before this test, because it had crashed or did not respond')
      // Without waiting: it may hang here too.
      current.close().catch(() => {})
      current = await type.launch()
      isBroken = false
      return true
    },
    /** Says whether a test failed because of its browser, and finds a page that hangs before another test uses it. */
    watch(page: Page, test: TestInfo) {
      let fault: string | undefined
      page.once('crash', () => {
        fault = 'crashed'
      })
      return async () => {
        if (!fault && !page.isClosed() && !(await responds(() => page.evaluate(() => true)))) fault = 'did not respond'
        if (!fault) return
        isBroken = true
        report(test, fault)
      }
    },
    close: () => current.close(),
  }
}

function report(test: TestInfo, description: string) {
  test.annotations.push({ type: BROWSER_FAULT, description: `The browser ${description}` })
}

async function pingBrowser(browser: Browser) {
  const session = await browser.newBrowserCDPSession()
  await session.send('Browser.getVersion')
  await session.detach()
}

async function responds(ping: () => Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, false)
  })
  const hasResponded = ping().then(
    () => true,
    () => false,
  )
  return Promise.race([hasResponded, isLate]).finally(() => clearTimeout(timer))
}
