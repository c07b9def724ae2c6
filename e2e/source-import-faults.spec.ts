import type { Page } from '@playwright/test'
import { breakWorker, FAILING_CALLS, FAILING_STARTS, prependToWorker } from './broken-worker.ts'
import { BROKEN, REFUSED } from './session-page.ts'
import { alert, csvFile, fileField, IMPORT, importButton, MESSY, rows, urlField } from './source-import-page.ts'
import { expect, storeToken, test } from './test.ts'

const CALL = `POST ${IMPORT}`
const ME = 'GET /api/v1/users/me'
const SHEET = 'https://docs.google.com/spreadsheets/d/abc/edit'
const ADVICE = 'Try again later or contact developers.'
const RESPONSE = { error_message: null, requested_count: 3, inputs_count: 4, created_sheet_url: SHEET }

test.beforeEach(async ({ page, otherBackend, faults }) => {
  faults.allow(REFUSED)
  faults.allow(BROKEN)
  otherBackend.responses[ME] = { status: 200, body: { first_name: 'I', last_name: 'S', email: 'i@x.example' } }
  otherBackend.responses[CALL] = { status: 200, body: RESPONSE }
  await storeToken(page, otherBackend.url, 'any')
})

function keysOf(page: Page) {
  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith(IMPORT)) keys.push(request.headers()['idempotency-key'])
  })
  return keys
}

test('a page whose files failed to load can be retried', async ({ page, otherBackend, faults }) => {
  faults.allow(/Failed to load resource|Unable to preload/)
  otherBackend.responses[ME] = { status: 200, body: { first_name: 'I', last_name: 'S', is_super_admin: true } }
  await page.goto(`${otherBackend.url}/dashboards`)
  await page.route('**/*.css', (route) => route.abort())
  await page.getByRole('link', { name: 'Source import' }).click()
  await expect(page.getByRole('alert')).toContainText('This page could not be shown. Try again.')
  await page.unroute('**/*.css')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(importButton(page)).toBeVisible()
})

test('a URL is sent alone, a loader replaces the button, and the result links to the sheet', async ({
  page,
  otherBackend,
}) => {
  let respond = () => {}
  const after = new Promise<void>((resolve) => {
    respond = resolve
  })
  otherBackend.responses[CALL] = { status: 200, body: RESPONSE, after }
  await page.goto(`${otherBackend.url}/source_import`)
  await urlField(page).fill(` ${SHEET} `)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status', { name: 'Importing' })).toBeVisible()
  await expect(importButton(page)).toHaveCount(0)
  respond()
  await expect(page.getByText('Requested import for 3 of 4 inputs:')).toBeVisible()
  const link = page.getByRole('link', { name: 'Open the created sheet' })
  await expect(link).toHaveAttribute('href', SHEET)
  await expect(link).toHaveAttribute('rel', /noopener/)
  await expect(importButton(page)).toBeVisible()
  const sent = otherBackend.calls.filter(({ call }) => call === CALL).map(({ body }) => JSON.parse(body))
  expect(sent).toEqual([{ email: 'i@x.example', sheet_url: SHEET, sheet_records: null }])
})

test('an error_message is shown unchanged until the input changes, and a link that would run a script is not shown', async ({
  page,
  otherBackend,
}) => {
  const body = {
    ...RESPONSE,
    error_message: 'The sheet has no column source_url.',
    created_sheet_url: 'javascript:alert(1)',
  }
  otherBackend.responses[CALL] = { status: 200, body }
  await page.goto(`${otherBackend.url}/source_import`)
  await urlField(page).fill(SHEET)
  await importButton(page).click()
  await expect(alert(page)).toContainText('The sheet has no column source_url.')
  await expect(page.getByText('Requested import')).toHaveCount(0)
  await expect(alert(page).getByRole('link')).toHaveCount(0)
  await urlField(page).fill('')
  await expect(alert(page)).toHaveCount(0)
})

test('the error of a failed call is shown in full, and the input stays', async ({ page, otherBackend }) => {
  await page.goto(`${otherBackend.url}/source_import`)
  await fileField(page).setInputFiles(csvFile(MESSY))
  for (const [status, body, message] of [
    [400, { detail: 'No such sheet' }, 'No such sheet'],
    [403, { detail: 'The email must be your own.' }, 'The email must be your own'],
    [422, { detail: [{ msg: 'one' }, { msg: 'two' }] }, 'one two'],
    [502, '<h1>Bad gateway</h1>', 'The server responded with status 502'],
  ] as const) {
    otherBackend.responses[CALL] = { status, body }
    await importButton(page).click()
    await expect(alert(page).locator('p')).toHaveText([`Could not import sources due to error: ${message}.`, ADVICE])
    await expect(rows(page)).toHaveCount(6)
    await expect(importButton(page)).toBeEnabled()
  }
})

test('a retry has the key of the first attempt, and a new import has a new key', async ({
  page,
  otherBackend,
  faults,
}) => {
  faults.allow(/ERR_/)
  const keys = keysOf(page)
  await page.goto(`${otherBackend.url}/source_import`)
  await page.route(`**${IMPORT}*`, (route) => route.abort('connectionreset'), { times: 1 })
  await fileField(page).setInputFiles(csvFile(MESSY))
  await importButton(page).click()
  await expect(alert(page)).toContainText('Could not import sources due to error: The server cannot be reached.')
  await importButton(page).click()
  await expect(page.getByText('Requested import')).toBeVisible()
  await expect(alert(page)).toHaveCount(0)
  await importButton(page).click()
  await expect.poll(() => keys.length).toBe(3)
  await fileField(page).setInputFiles(csvFile(MESSY))
  await importButton(page).click()
  await expect.poll(() => keys.length).toBe(4)
  expect(keys[0]).toMatch(/^[\w-]{32}$/)
  expect(keys[1]).toBe(keys[0])
  expect(new Set(keys).size).toBe(3)
})

test('if the current user cannot be loaded, an error is shown and nothing is sent', async ({ page, otherBackend }) => {
  otherBackend.responses[ME] = { status: 500, body: { detail: 'Directory down' } }
  await page.goto(`${otherBackend.url}/source_import`)
  await urlField(page).fill(SHEET)
  await importButton(page).click()
  await expect(alert(page).locator('p')).toHaveText(['Could not authenticate due to error: Directory down.', ADVICE])
  expect(otherBackend.calls.filter(({ call }) => call === CALL)).toEqual([])
  otherBackend.responses[ME] = { status: 200, body: { first_name: 'I', last_name: 'S', email: 'i@x.example' } }
  await importButton(page).click()
  await expect(page.getByText('Requested import')).toBeVisible()
})

test('the help shows the service account if the backend provides it', async ({ page, otherBackend }) => {
  const help = page.getByRole('complementary', { name: 'What the file or sheet needs' })
  await page.goto(`${otherBackend.url}/source_import`)
  await expect(help).toContainText('shared with a service account. Ask your administrator for its address.')
  const email = 'robot@project.iam.gserviceaccount.com'
  otherBackend.responses['GET /api/v1/source_import/service_account'] = { status: 200, body: { email } }
  await page.reload()
  await expect(help).toContainText(`must be shared with the service account ${email}`)
})

const START = 'Part of this page could not be loaded. Check your connection and try again, or reload the page.'
const CRASH = 'The file reader stopped unexpectedly. Try again, or split the file into smaller ones.'

test('a reader that does not start, or fails at once: the page says what to do, and a retry succeeds', async ({
  page,
  otherBackend,
  faults,
}) => {
  faults.allow(/Failed to load resource|worker/i)
  await page.goto(`${otherBackend.url}/source_import`)
  for (const [ways, message] of [
    [FAILING_STARTS, START],
    [FAILING_CALLS, CRASH],
  ] as const) {
    for (const [way, response] of Object.entries(ways)) {
      await test.step(way, async () => {
        const { restore } = await breakWorker(page, response)
        await fileField(page).setInputFiles(csvFile(MESSY))
        await expect(fileField(page)).toHaveAccessibleDescription(
          new RegExp(`An error occurred while reading the file\\. ${message}$`),
        )
        await expect(rows(page)).toHaveCount(0)
        await expect.poll(() => page.workers().length).toBe(0)
        await restore()
        await page.getByRole('button', { name: 'Try again' }).click()
        await expect(rows(page)).toHaveCount(6)
        await expect(fileField(page)).toHaveAccessibleDescription(/^sources\.csv/)
        await expect(fileField(page)).not.toHaveAccessibleDescription(/error/)
      })
    }
  }
})

test('an import whose reader fails or ends shows an error, and succeeds after a retry', async ({
  page,
  otherBackend,
}) => {
  await page.clock.install()
  await page.goto(`${otherBackend.url}/source_import`)
  for (const [way, code, message] of [
    ['rejects', "globalThis.Blob = class { constructor() { throw new RangeError('Out of memory') } }", CRASH],
    [
      'throws',
      "addEventListener('message', ({ data }) => { if (data.name === 'body') throw new Error('broken') })",
      CRASH,
    ],
    [
      'ends without a message',
      "addEventListener('message', (event) => { if (event.data.name === 'body') { event.stopImmediatePropagation(); close() } })",
      'It took too long. Try again, or split the file into smaller ones.',
    ],
  ] as const) {
    await test.step(way, async () => {
      otherBackend.calls.length = 0
      const { restore } = await prependToWorker(page, code)
      await fileField(page).setInputFiles(csvFile(MESSY))
      await expect(rows(page)).toHaveCount(6)
      await importButton(page).click()
      await expect.poll(() => page.workers().length).toBe(0)
      await page.clock.fastForward(31_000)
      await expect(alert(page)).toContainText(`Could not import sources due to error: ${message}`)
      await expect(fileField(page)).toHaveAccessibleDescription(new RegExp(`${message}$`))
      expect(otherBackend.calls.filter(({ call }) => call === CALL)).toEqual([])
      await restore()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(alert(page)).toHaveCount(0)
      await expect(rows(page)).toHaveCount(6)
      await importButton(page).click()
      await expect(page.getByText('Requested import')).toBeVisible()
    })
  }
})

test('a reader that is silent for half a minute is terminated', async ({ page, otherBackend }) => {
  await page.clock.install()
  // Simulates a file that hangs its reader.
  await page.route('**/assets/worker-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'onmessage = () => { for (;;) {} }' }),
  )
  await page.goto(`${otherBackend.url}/source_import`)
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(page.getByRole('progressbar')).toBeVisible()
  await page.clock.fastForward(31_000)
  await expect(fileField(page)).toHaveAccessibleDescription(
    /An error occurred while reading the file\. It took too long\. Try again, or split the file into smaller ones\.$/,
  )
  await expect.poll(() => page.workers().length).toBe(0)
})

test('reading can be cancelled, which terminates the reader', async ({ page, otherBackend }) => {
  await page.route('**/assets/worker-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `onmessage = ({ data: { id } }) => {
        postMessage({ id, progress: { phase: 'reading', part: 0.5, records: 1234 } })
        for (;;) {}
      }`,
    }),
  )
  await page.goto(`${otherBackend.url}/source_import`)
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(page.getByText('Reading… 1,234 rows')).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50')
  await expect(importButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(fileField(page)).toHaveAccessibleDescription('')
  await expect(fileField(page)).toBeFocused()
  await expect.poll(() => page.workers().length).toBe(0)
  await page.unroute('**/assets/worker-*.js')
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(rows(page)).toHaveCount(6)
})

test('the reader of an invalid file is terminated', async ({ page, otherBackend }) => {
  await page.goto(`${otherBackend.url}/source_import`)
  const started = page.waitForEvent('worker')
  await fileField(page).setInputFiles(csvFile('source_url\n"t.me/bread\n'))
  await started
  await expect(fileField(page)).toHaveAccessibleDescription(/a quotation mark is opened and never closed/)
  await expect.poll(() => page.workers().length).toBe(0)
})
