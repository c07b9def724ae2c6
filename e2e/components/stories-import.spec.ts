import { login } from '@watchdesk/contract/auth/session'
import { countStories, importStories } from '@watchdesk/contract/stories-import'
import { expectAccessible } from '../accessible.ts'
import { breakWorker, FAILING_CALLS, FAILING_STARTS } from '../broken-worker.ts'
import { hold } from '../hold.ts'
import { password, signInAgain } from '../session-page.ts'
import { downloadFile } from '../sources-page.ts'
import {
  deleteBox,
  file,
  fileButton,
  importButton,
  lines,
  type Row,
  redText,
  rowsOf,
  slowUploads,
  storiesFile,
  storiesWorkbook,
  summary,
} from '../stories-page.ts'
import { Refusal } from './backend.ts'
import { expect, nextCall, test } from './test.ts'

const WARNING =
  'All existing stories of the narratives in the file are deleted, with their vectors, before the new stories are imported. You can undo the import for 30 days.'

test.beforeEach(async ({ backend, open }) => {
  backend.answer(importStories, { summaries: [summary(1)] })
  await open('/stories_import')
})

test('asks for the file, lists its columns, which the template has and nothing else, and explains deleting', async ({
  page,
}) => {
  await expect(page).toHaveTitle('Stories import · Watchdesk')
  const needs = page.getByRole('complementary', { name: 'What the file needs' })
  await expect(needs.getByRole('term')).toHaveText(['narrative_id', 'message_composite_id', 'story', 'sentiment_score'])
  await expect(needs.getByRole('definition').last()).toContainText('May be empty.')
  const { name, text } = await downloadFile(page, 'Download a template')
  expect(name).toBe('stories-template.csv')
  expect(text).toBe('\uFEFFnarrative_id,message_composite_id,story,sentiment_score\r\n')
  await expect(file(page)).toHaveAttribute('accept', '.csv,.xlsx')

  await importButton(page).click()
  await expect(fileButton(page)).toHaveAccessibleDescription('File is required')
  await expect(fileButton(page)).toBeFocused()
  await file(page).setInputFiles(storiesFile([]))
  await expect(page.getByText('File is required')).toHaveCount(0)

  await expect(page.getByText(WARNING)).toHaveCount(0)
  await page.getByText('Delete existing stories from narratives in file?').click()
  await expect(deleteBox(page)).toBeChecked()
  await expect(deleteBox(page)).toHaveAccessibleDescription(WARNING)
})

test('an upload shows its progress, and can be cancelled; leaving the page cancels it after a question', async ({
  page,
  backend,
}) => {
  const slow = await slowUploads(page, 100_000)
  const long = Array.from({ length: 20 }, (_, index): Row => [1, `VK:POST:${index}`, 'bread '.repeat(15_000)])
  await file(page).setInputFiles(storiesFile(long))
  const bar = page.getByRole('progressbar', { name: 'Upload' })
  const failed = () => page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
  await importButton(page).click()
  await expect(bar).not.toHaveAttribute('aria-valuenow', '0')
  await expect(page.getByText(/^Uploading .* of 1\.\d+ MB$/)).toBeVisible()
  await expect(importButton(page)).toHaveCount(0)
  const cancelled = failed()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await cancelled
  await expect(importButton(page)).toBeFocused()
  await expect(redText(page)).toHaveCount(0)
  await expect(page.getByText('stories.csv', { exact: true })).toBeVisible()

  await importButton(page).click()
  await bar.waitFor()
  const dialog = page.getByRole('dialog', { name: 'Stop the upload?' })
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(dialog).toContainText('nothing is imported')
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL('/stories_import')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  const left = failed()
  await page.getByRole('button', { name: 'Stop and leave' }).click()
  await left
  await expect(page).toHaveURL('/users')
  await slow.end()
  expect(backend.calls(importStories)).toEqual([])
})

test('after an expired session, signing in again in place continues the import', async ({ page, backend }) => {
  backend.answer(login, { access_token: 'new' })
  backend.answer(importStories, ({ headers }) =>
    headers.authorization === 'Bearer new' ? { summaries: [summary(1)] } : new Refusal(401, 'Sign in again.'),
  )
  await file(page).setInputFiles(storiesFile(rowsOf(1, 2)))
  await importButton(page).click()
  await expect(signInAgain(page)).toBeVisible()
  await password(page).fill('quiet river stone')
  await page.keyboard.press('Enter')
  await expect(lines(page)).toContainText(['2 stories imported into narrative 1'])
})

test('deleting is confirmed in a dialog with the narratives and their story counts; Cancel changes nothing', async ({
  page,
  backend,
}) => {
  const counts = [3, 1, 0].map((stories_count, index) => ({ narrative_id: index + 1, stories_count }))
  backend.answer(countStories, { counts })
  const rows = [3, 2, 1].flatMap((narrative) => rowsOf(narrative, 1))
  await file(page).setInputFiles(storiesWorkbook(rows))
  await expect(page.getByText('3 rows in 3 narratives')).toBeVisible()
  await deleteBox(page).check()
  await importButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 4 existing stories?' })
  await expect(dialog.getByRole('listitem')).toHaveText(['Narrative 1: 3 stories', 'Narrative 2: 1 story'])
  await expect(dialog).toContainText('You can undo the import for 30 days.')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(importButton(page)).toBeFocused()
  await expect(lines(page)).toHaveCount(0)
  await expect(deleteBox(page)).toBeChecked()
  expect(backend.calls(importStories)).toEqual([])
  backend.answer(importStories, { summaries: [summary(1, 1, 3), summary(2, 1, 1), summary(3, 1)] })
  await importButton(page).click()
  await page.getByRole('button', { name: 'Delete and import' }).click()
  await expect(lines(page)).toHaveText([
    /^1 stories imported into narrative 13 existing stories deleted/,
    /^1 stories imported into narrative 21 existing story deleted/,
    /^1 stories imported into narrative 3Vectorize/,
  ])
  expect(backend.calls(importStories).map(({ body }) => body)).toEqual([
    expect.stringMatching(/name="delete_existing_stories"\s+true/),
  ])
})

test('if the file is replaced while it is checked, nothing is imported', async ({ page, backend }) => {
  const release = await hold(page, '**/assets/stories-import.schema-*.js')
  const { restore } = await breakWorker(page, {
    status: 200,
    contentType: 'text/javascript',
    body: 'onmessage = ({ data: { id } }) => postMessage({ id, progress: 1234 })',
  })
  await page.goto('/stories_import')
  await file(page).setInputFiles(storiesFile(rowsOf(1, 3), 'first.csv'))
  await expect(page.getByText('1,234')).toBeVisible()
  await importButton(page).click()
  await expect(page.getByRole('status', { name: 'Import stories' })).toBeVisible()
  await restore()
  await file(page).setInputFiles(storiesFile(rowsOf(1, 2), 'second.csv'))
  await expect(page.getByText('second.csv')).toBeVisible()
  release()
  await expect(page.getByRole('status').filter({ hasText: '2 rows in 1 narrative' })).toBeVisible()
  await expect(importButton(page)).toBeEnabled()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(redText(page)).toHaveCount(0)
  expect(backend.calls(importStories)).toEqual([])
})

test('if the file is replaced before the question about it opens, nothing is asked, deleted or imported', async ({
  page,
  backend,
}) => {
  const release = await hold(page, '**/assets/confirm-delete-*.js')
  await page.goto('/stories_import')
  await file(page).setInputFiles(storiesFile(rowsOf(1, 3), 'first.csv'))
  await expect(page.getByText('3 rows in 1 narrative')).toBeVisible()
  await deleteBox(page).check()
  await importButton(page).click()
  await expect(page.getByRole('status', { name: 'Import stories' })).toBeVisible()
  await file(page).setInputFiles(storiesFile(rowsOf(2, 2), 'second.csv'))
  await expect(page.getByText('2 rows in 1 narrative')).toBeVisible()
  release()
  await expect(importButton(page)).toBeEnabled()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(backend.calls(importStories)).toEqual([])
})

test('a request without a response has the same key when it is sent again', async ({ page, backend }) => {
  // This backend does not count stories, but the narratives are still listed.
  backend.refuse(countStories, 404, 'Not Found')
  backend.raw(importStories, 504, 'late')
  await file(page).setInputFiles(storiesFile(rowsOf(1, 1)))
  const send = async (isDeleting = false) => {
    const sent = nextCall(backend, importStories)
    await importButton(page).click()
    if (isDeleting) {
      const dialog = page.getByRole('dialog', { name: 'Delete the existing stories?' })
      await expect(dialog.getByRole('listitem')).toHaveText(['Narrative 1'])
      await dialog.getByRole('button', { name: 'Delete and import' }).click()
    }
    return (await sent)?.headers['idempotency-key']
  }
  const first = await send()
  await expect(redText(page)).toContainText('Something went wrong')
  expect(await send()).toBe(first)
  await deleteBox(page).check()
  backend.answer(importStories, { summaries: [] })
  expect(await send(true)).not.toBe(first)
  await expect(page.getByRole('heading', { name: 'Imported stories.csv' })).toBeVisible()
})

test('while the server works there is a loader, and leaving is confirmed; then there is a line for each of 2,000 narratives, in a list that scrolls', async ({
  page,
  backend,
}) => {
  backend.answer(importStories, { summaries: Array.from({ length: 2_000 }, (_, index) => summary(index + 1)) })
  const finish = backend.hold(importStories)
  await file(page).setInputFiles(storiesFile(rowsOf(1, 1)))
  await importButton(page).click()
  await expect(page.getByRole('status', { name: 'Importing' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('The import continues on the server')
  await page.getByRole('button', { name: 'Stay' }).click()
  finish()
  await expect(page.getByText('4,000 new stories in 2,000 narratives')).toBeVisible()
  await expect(lines(page).first()).toContainText('2 stories imported into narrative 1')
  expect(await lines(page).count()).toBeLessThan(100)
  await expect(lines(page).first()).toHaveAttribute('aria-setsize', '2000')
  const list = page.getByRole('list', { name: 'Imported stories.csv' })
  await list.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect(lines(page).last()).toContainText('2 stories imported into narrative 2000')
})

test('works with the keyboard only', async ({ page }) => {
  // Registered from the start: the key would open the dialog before the browser knows of a later listener.
  page.on('filechooser', (chooser) => void chooser.setFiles(storiesFile(rowsOf(1, 1))))
  await fileButton(page).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('stories.csv', { exact: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Remove stories.csv' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(deleteBox(page)).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(lines(page)).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Imported stories.csv' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/narratives_vectorization?narrative_id=1')
})

test('a file that cannot be imported is marked when it is chosen, and can still be sent; then the error is shown once', async ({
  page,
  backend,
}) => {
  for (const [name, text, error] of [
    ['notes.txt', 'Bread', 'File must be of type csv or xlsx.'],
    ['a.csv', 'story\nBread\n', 'The file is missing the columns narrative_id, message_composite_id, sentiment_score.'],
    ['stories.xlsx', 'Bread', 'It has the extension .xlsx but is not an Excel workbook.'],
  ] as const) {
    backend.refuse(importStories, 422, error)
    await file(page).setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) })
    await expect(page.getByText(error)).toBeVisible()
    await importButton(page).click()
    await expect(redText(page)).toContainText(error)
    await expect(page.getByText(error)).toHaveCount(1)
  }
})

test('a failed reader shows an error and can be retried; the import does not wait for it', async ({ page, faults }) => {
  faults.allow(/worker/i)
  const failure = page.getByRole('status').filter({ hasText: 'The file could not be checked before the import.' })
  for (const [response, message] of [
    [FAILING_STARTS['a server that fails'], 'Part of this page could not be loaded. Check your connection'],
    [FAILING_CALLS['a call that throws'], 'The file reader stopped unexpectedly.'],
  ] as const) {
    const { restore } = await breakWorker(page, response)
    await file(page).setInputFiles(storiesFile(rowsOf(1, 2)))
    await expect(failure).toContainText(message)
    await restore()
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('status').filter({ hasText: '2 rows in 1 narrative' })).toBeVisible()
    await expect(failure).toHaveCount(0)
  }

  await breakWorker(page, FAILING_STARTS['a script that throws'])
  await file(page).setInputFiles(storiesFile(rowsOf(1, 2)))
  await expect(failure).toBeVisible()
  await deleteBox(page).check()
  await importButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the existing stories?' })
  await expect(dialog).toContainText('They cannot be listed, because the file could not be checked.')
  await dialog.getByRole('button', { name: 'Delete and import' }).click()
  await expect(lines(page)).toContainText(['2 stories imported into narrative 1'])
})

test('bad and doubtful rows are shown before the import; bad ones fail with one red line each, doubtful ones are taken', async ({
  page,
  backend,
}) => {
  const findings = page.getByRole('status').filter({ hasText: '8 rows in 1 narrative' })
  const says = 'narrative_id must be a whole number; story is required; sentiment_score must be a number or empty'
  const bad = Array.from({ length: 7 }, (): Row => ['x', 'TELEGRAM:POST:1', '', 'high'])
  await file(page).setInputFiles(storiesFile([...rowsOf(1, 1), ...bad]))
  await expect(findings).toContainText('7 rows cannot be imported.')
  await expect(findings.getByRole('listitem').first()).toHaveText(`Row 3: ${says}`)
  const detail = [3, 4].map((row) => ({ loc: ['body', 'file'], msg: `Row ${row}: ${says}`, type: 'value_error' }))
  backend.refuse(importStories, 422, detail)
  await importButton(page).click()
  await expect(redText(page)).toHaveText(detail.map(({ msg }) => msg).join('\n'))
  await expect(redText(page)).toHaveCSS('color', 'rgb(180, 35, 24)')
  await expect(importButton(page)).toBeFocused()
  await expect(findings).toHaveCount(0)

  backend.answer(importStories, { summaries: [{ ...summary(1), repeated_stories_count: 3 }] })
  const doubtful = Array.from({ length: 7 }, (_, index): Row => [1, `msg${index}`, `Story ${index}`, 2])
  await file(page).setInputFiles(storiesFile([...rowsOf(1, 1), ...doubtful]))
  await expect(findings).toContainText('7 rows without a platform or content type in message_composite_id')
  await expect(findings).toContainText('7 rows with a sentiment_score below -1 or above 1')
  await expect(findings.getByRole('listitem').first()).toHaveText('Row 3: msg0')
  await expect(findings.getByText('… and 2 more rows')).toHaveCount(2)
  await expectAccessible(findings)
  await importButton(page).click()
  await expect(lines(page)).toContainText([/^2 stories imported into narrative 13 duplicates skipped/])
  await expect(redText(page)).toHaveCount(0)
  await expect(findings).toHaveCount(0)
})
