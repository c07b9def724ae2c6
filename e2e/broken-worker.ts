import type { Page } from '@playwright/test'

const SCRIPT = '**/assets/worker-*.js'

/** Ways in which the worker can fail before it has read anything. */
export const FAILING_STARTS = {
  'a script that is gone after a deployment': { status: 404, body: 'Not found' },
  'a server that fails': { status: 500, body: 'Internal server error' },
  'a script that throws': script("throw new Error('broken at start')"),
}

/** Ways in which the worker can fail when it is called. */
export const FAILING_CALLS = {
  'a call that throws': script("onmessage = () => { postMessage({ id: 0 }); throw new Error('broken') }"),
  'a call that rejects': script(
    "onmessage = async ({ data: { id } }) => postMessage({ id, error: 'RangeError: Out of memory' })",
  ),
}

function script(body: string) {
  return { status: 200, contentType: 'text/javascript', body }
}

/** Replaces the worker's script until `restore` is called. */
export async function breakWorker(page: Page, response: { status: number; body: string; contentType?: string }) {
  await page.route(SCRIPT, (route) => route.fulfill(response))
  return { restore: () => page.unroute(SCRIPT) }
}

/** Runs this before the worker's own script. */
export async function prependToWorker(page: Page, code: string) {
  await page.route(SCRIPT, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${code};${await response.text()}` })
  })
  return { restore: () => page.unroute(SCRIPT) }
}
