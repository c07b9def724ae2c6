import { currentUser } from '@watchdesk/contract/auth/session'
import { importSources, serviceAccount } from '@watchdesk/contract/source-import'
import { breakWorker, FAILING_CALLS, FAILING_STARTS, prependToWorker } from '../broken-worker.ts'
import { alert, csvFile, fileField, importButton, MESSY, rows, urlField } from '../source-import-page.ts'
import { ME } from './records.ts'
import { expect, nextCall, test } from './test.ts'

const SHEET = 'https://docs.google.com/spreadsheets/d/abc/edit'
const ADVICE = 'Try again later or contact developers.'
const RESULT = { error_message: null, requested_count: 3, inputs_count: 4, created_sheet_url: SHEET }

test.beforeEach(async ({ backend, open }) => {
  backend.refuse(serviceAccount, 404, 'Not Found')
  backend.answer(importSources, RESULT)
  await open('/source_import')
})

test('a URL is sent alone, a loader replaces the button, and the result links to the sheet', async ({
  page,
  backend,
}) => {
  const respond = backend.hold(importSources)
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
  const sent = backend.calls(importSources).map(({ body }) => body)
  expect(sent).toEqual([{ email: ME.email, sheet_url: SHEET, sheet_records: null }])
})

test('an error_message is shown unchanged until the input changes, and a link that would run a script is not shown', async ({
  page,
  backend,
}) => {
  const error_message = 'The sheet has no column source_url.'
  backend.answer(importSources, { ...RESULT, error_message, created_sheet_url: 'javascript:alert(1)' })
  await urlField(page).fill(SHEET)
  await importButton(page).click()
  await expect(alert(page)).toContainText(error_message)
  await expect(page.getByText('Requested import')).toHaveCount(0)
  await expect(alert(page).getByRole('link')).toHaveCount(0)
  await urlField(page).fill('')
  await expect(alert(page)).toHaveCount(0)
})

test('the error of a failed call is shown in full, and the input stays', async ({ page, backend }) => {
  await fileField(page).setInputFiles(csvFile(MESSY))
  for (const [status, body, message] of [
    [403, { detail: 'The email must be your own.' }, 'The email must be your own'],
    [422, { detail: [{ msg: 'one' }, { msg: 'two' }] }, 'one two'],
    [502, '<h1>Bad gateway</h1>', 'The server responded with status 502'],
  ] as const) {
    backend.raw(importSources, status, body)
    await importButton(page).click()
    await expect(alert(page).locator('p')).toHaveText([`Could not import sources due to error: ${message}.`, ADVICE])
    await expect(rows(page)).toHaveCount(6)
    await expect(importButton(page)).toBeEnabled()
  }
})

test('a retry has the key of the first attempt, and a new import has a new key', async ({ page, backend }) => {
  const send = async () => {
    const sent = nextCall(backend, importSources)
    await importButton(page).click()
    return (await sent)?.headers['idempotency-key']
  }
  backend.cutOff(importSources)
  await fileField(page).setInputFiles(csvFile(MESSY))
  const first = await send()
  expect(first).toMatch(/^[\w-]{32}$/)
  await expect(alert(page)).toContainText('Could not import sources due to error: The server cannot be reached.')
  backend.answer(importSources, RESULT)
  expect(await send()).toBe(first)
  await expect(page.getByText('Requested import')).toBeVisible()
  await expect(alert(page)).toHaveCount(0)
  const second = await send()
  await fileField(page).setInputFiles(csvFile(MESSY))
  expect(new Set([first, second, await send()]).size).toBe(3)
})

test('if the current user cannot be loaded, an error is shown and nothing is sent', async ({ page, backend, open }) => {
  backend.refuse(currentUser, 500, 'Directory down')
  await open('/source_import')
  await urlField(page).fill(SHEET)
  await importButton(page).click()
  await expect(alert(page).locator('p')).toHaveText(['Could not authenticate due to error: Directory down.', ADVICE])
  expect(backend.calls(importSources)).toEqual([])
  backend.answer(currentUser, ME)
  await importButton(page).click()
  await expect(page.getByText('Requested import')).toBeVisible()
})

const START = 'Part of this page could not be loaded. Check your connection and try again, or reload the page.'
const CRASH = 'The file reader stopped unexpectedly. Try again, or split the file into smaller ones.'
const SILENT = 'It took too long. Try again, or split the file into smaller ones.'

test('a reader that does not start, fails at once, or fails during the import: the page says what to do, and a retry succeeds', async ({
  page,
  backend,
  faults,
}) => {
  faults.allow(/worker/i)
  const again = async (restore: () => Promise<void>) => {
    await expect.poll(() => page.workers().length).toBe(0)
    await restore()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(rows(page)).toHaveCount(6)
    await expect(fileField(page)).toHaveAccessibleDescription(/^sources\.csv/)
    await expect(fileField(page)).not.toHaveAccessibleDescription(/error/)
  }
  for (const [response, message] of [
    [FAILING_STARTS['a script that is gone after a deployment'], START],
    [FAILING_CALLS['a call that rejects'], CRASH],
  ] as const) {
    const { restore } = await breakWorker(page, response)
    await fileField(page).setInputFiles(csvFile(MESSY))
    await expect(fileField(page)).toHaveAccessibleDescription(
      new RegExp(`An error occurred while reading the file\\. ${message}$`),
    )
    await expect(rows(page)).toHaveCount(0)
    await again(restore)
  }

  const { restore } = await prependToWorker(
    page,
    "addEventListener('message', ({ data }) => { if (data.name === 'body') throw new Error('broken') })",
  )
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(rows(page)).toHaveCount(6)
  await importButton(page).click()
  await expect(alert(page)).toContainText(`Could not import sources due to error: ${CRASH}`)
  expect(backend.calls(importSources)).toEqual([])
  await again(restore)
  await expect(alert(page)).toHaveCount(0)
  await importButton(page).click()
  await expect(page.getByText('Requested import')).toBeVisible()
})

test('a reader that is silent for half a minute is terminated, also one that ends during the import', async ({
  page,
}) => {
  await page.clock.install()
  const { restore } = await breakWorker(page, { status: 200, contentType: 'text/javascript', body: '' })
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(page.getByRole('progressbar')).toBeVisible()
  await page.clock.fastForward(31_000)
  await expect(fileField(page)).toHaveAccessibleDescription(
    new RegExp(`An error occurred while reading the file\\. ${SILENT}$`),
  )
  await expect.poll(() => page.workers().length).toBe(0)

  await restore()
  await prependToWorker(
    page,
    "addEventListener('message', (event) => { if (event.data.name === 'body') { event.stopImmediatePropagation(); close() } })",
  )
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(rows(page)).toHaveCount(6)
  await importButton(page).click()
  await expect.poll(() => page.workers().length).toBe(0)
  await page.clock.fastForward(31_000)
  await expect(alert(page)).toContainText(`Could not import sources due to error: ${SILENT}`)
})

test('reading can be cancelled, which terminates the reader, and so does an invalid file', async ({ page }) => {
  const { restore } = await breakWorker(page, {
    status: 200,
    contentType: 'text/javascript',
    body: `onmessage = ({ data: { id } }) => postMessage({ id, progress: { phase: 'reading', part: 0.5, records: 1234 } })`,
  })
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(page.getByText('Reading… 1,234 rows')).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50')
  await expect(importButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(fileField(page)).toHaveAccessibleDescription('')
  await expect(fileField(page)).toBeFocused()
  await expect.poll(() => page.workers().length).toBe(0)
  await restore()
  await fileField(page).setInputFiles(csvFile('source_url\n"t.me/bread\n'))
  await expect(fileField(page)).toHaveAccessibleDescription(/a quotation mark is opened and never closed/)
  await expect.poll(() => page.workers().length).toBe(0)
})
