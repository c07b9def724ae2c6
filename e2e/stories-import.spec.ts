import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from './accessible.ts'
import { breakWorker } from './broken-worker.ts'
import { hold } from './hold.ts'
import { BROKEN, password, REFUSED } from './session-page.ts'
import { test } from './signed-in.ts'
import {
  deleteBox,
  file,
  fileButton,
  importButton,
  lines,
  newNarrative,
  type Row,
  redText,
  rowsOf,
  seedStories,
  slowUploads,
  storiesFile,
  storiesWorkbook,
} from './stories-page.ts'
import { expect, storeToken } from './test.ts'

const IMPORT = '**/api/v1/stories-import/from-file'
const WARNING =
  'All existing stories of the narratives in the file are deleted, with their vectors, before the new stories are imported. You can undo the import for 30 days.'
const OURS = { id: 1, first_name: 'Iryna', last_name: 'Shevchuk', email: 'i@example.com', is_super_admin: true }

test('asks for the file, lists its columns, and explains deleting', async ({ page }) => {
  await page.goto('/stories_import')
  await expect(page).toHaveTitle('Stories import · Watchdesk')
  const needs = page.getByRole('complementary', { name: 'What the file needs' })
  await expect(needs.getByRole('term')).toHaveText(['narrative_id', 'message_composite_id', 'story', 'sentiment_score'])
  await expect(needs.getByRole('definition').last()).toContainText('May be empty.')
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

test('the template has the columns and nothing else', async ({ page }) => {
  await page.goto('/stories_import')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download a template' }).click()
  expect((await download).suggestedFilename()).toBe('stories-template.csv')
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toBe('\uFEFFnarrative_id,message_composite_id,story,sentiment_score\r\n')
})

test('a file is imported; again, it changes nothing; with delete, it replaces the existing stories', async ({
  page,
}) => {
  const [one, two] = [newNarrative(), newNarrative()]
  const stories = storiesFile([...rowsOf(one, 3), ...rowsOf(two, 1)])
  await page.goto('/stories_import')
  await file(page).setInputFiles(stories)
  const request = page.waitForRequest(IMPORT)
  await importButton(page).click()
  expect((await request).headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  await expect(lines(page)).toHaveText([
    `3 stories imported into narrative ${one}Vectorize this narrative`,
    `1 stories imported into narrative ${two}Vectorize this narrative`,
  ])
  await expect(page.getByRole('heading', { name: 'Imported stories.csv' })).toBeFocused()
  await expect(page.getByText('stories.csv', { exact: true })).toHaveCount(0)

  await file(page).setInputFiles(stories)
  await importButton(page).click()
  await expect(lines(page)).toHaveText([
    new RegExp(`^0 stories imported into narrative ${one}3 duplicates skipped`),
    new RegExp(`^0 stories imported into narrative ${two}1 duplicate skipped`),
  ])

  await file(page).setInputFiles(storiesFile(rowsOf(one, 2), 'fewer.csv'))
  await deleteBox(page).check()
  await importButton(page).click()
  await page.getByRole('button', { name: 'Delete and import' }).click()
  await expect(lines(page)).toHaveText([
    new RegExp(`^2 stories imported into narrative ${one}3 existing stories deleted`),
  ])
  await expect(deleteBox(page)).not.toBeChecked()

  await page.getByRole('link', { name: `Vectorize narrative ${one}` }).click()
  await expect(page).toHaveURL(`/narratives_vectorization?narrative_id=${one}`)
  await expect(page.getByRole('textbox', { name: 'Narrative id' })).toHaveValue(String(one))
})

test('an upload shows its progress; when cancelled, nothing is stored', async ({ page }) => {
  const narrative = newNarrative()
  const story = 'bread '.repeat(100)
  const large = storiesFile(Array.from({ length: 4_000 }, (_, index) => [narrative, `VK:POST:${index}`, story]))
  await page.goto('/stories_import')
  const slow = await slowUploads(page, 200_000)
  await file(page).setInputFiles(large)
  await importButton(page).click()
  const bar = page.getByRole('progressbar', { name: 'Upload' })
  await expect(bar).not.toHaveAttribute('aria-valuenow', '0')
  await expect(page.getByText(/^Uploading .* of 2\.\d+ MB$/)).toBeVisible()
  await expect(importButton(page)).toHaveCount(0)

  await page.getByRole('link', { name: 'Users', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop the upload?' })
  await expect(dialog).toContainText('nothing is imported')
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL('/stories_import')

  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await failed
  await expect(importButton(page)).toBeFocused()
  await expect(redText(page)).toHaveCount(0)
  await expect(page.getByText('stories.csv', { exact: true })).toBeVisible()

  await slow.end()
  await importButton(page).click()
  await expect(lines(page)).toContainText([`4000 stories imported into narrative ${narrative}`])
})

test('leaving the page cancels the upload', async ({ page }) => {
  await page.goto('/stories_import')
  const slow = await slowUploads(page, 100_000)
  const long = Array.from({ length: 20 }, (_, index): Row => [1, `VK:POST:${index}`, 'bread '.repeat(15_000)])
  await file(page).setInputFiles(storiesFile(long))
  await importButton(page).click()
  await page.getByRole('progressbar').waitFor()
  const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByRole('button', { name: 'Stop and leave' }).click()
  await failed
  await expect(page).toHaveURL('/users')
  await slow.end()
})

test('a file that was changed after it was chosen gets an error message', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'stories-'))
  const path = join(folder, 'stories.csv')
  const { buffer } = storiesFile(rowsOf(newNarrative(), 1))
  await writeFile(path, buffer)
  await page.goto('/stories_import')
  await file(page).setInputFiles(path)
  await appendFile(path, '\n')
  await importButton(page).click()
  await expect(redText(page)).toHaveText('The file was changed or moved after it was chosen. Choose it again.')
  const chooser = page.waitForEvent('filechooser')
  await fileButton(page).click()
  await (await chooser).setFiles(path)
  await expect(redText(page)).toHaveCount(0)
  await importButton(page).click()
  await expect(lines(page)).toHaveCount(1)
  await rm(folder, { recursive: true })
})

test('after an expired session, signing in again in place continues the import', async ({
  page,
  watchdesk,
  faults,
}) => {
  faults.allow(REFUSED)
  const narrative = newNarrative()
  await page.goto('/stories_import')
  await file(page).setInputFiles(storiesFile(rowsOf(narrative, 2)))
  await watchdesk.session.end()
  await importButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in again' })
  await expect(dialog).toBeVisible()
  await password(page).fill(watchdesk.password)
  await page.keyboard.press('Enter')
  await expect(lines(page)).toContainText([`2 stories imported into narrative ${narrative}`])
})

test('deleting is confirmed in a dialog with the narratives and their story counts; Cancel changes nothing', async ({
  page,
  watchdesk,
}) => {
  const [one, two, empty] = [newNarrative(), newNarrative(), newNarrative()]
  await seedStories(page, watchdesk, [...rowsOf(one, 3), ...rowsOf(two, 1)])
  await page.goto('/stories_import')
  for (const [named, kind] of [
    ['csv', storiesFile([...rowsOf(empty, 1), ...rowsOf(two, 1), ...rowsOf(one, 1)])],
    ['xlsx', storiesWorkbook([...rowsOf(empty, 1), ...rowsOf(two, 1), ...rowsOf(one, 1)])],
  ] as const) {
    await file(page).setInputFiles(kind)
    await expect(page.getByText('3 rows in 3 narratives'), named).toBeVisible()
    await deleteBox(page).check()
    await importButton(page).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 4 existing stories?' })
    await expect(dialog.getByRole('listitem')).toHaveText([`Narrative ${one}: 3 stories`, `Narrative ${two}: 1 story`])
    await expect(dialog).toContainText('You can undo the import for 30 days.')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(importButton(page)).toBeFocused()
    await expect(lines(page)).toHaveCount(0)
    await expect(deleteBox(page)).toBeChecked()
  }
  await importButton(page).click()
  await page.getByRole('button', { name: 'Delete and import' }).click()
  await expect(lines(page)).toHaveText([
    new RegExp(`^1 stories imported into narrative ${one}3 existing stories deleted`),
    new RegExp(`^1 stories imported into narrative ${two}1 existing story deleted`),
    new RegExp(`^1 stories imported into narrative ${empty}Vectorize`),
  ])
})

test('if the file is replaced while it is checked, nothing is deleted or imported', async ({ page }) => {
  const narrative = newNarrative()
  const release = await hold(page, '**/assets/stories-import.schema-*.js')
  const { restore } = await breakWorker(page, {
    status: 200,
    contentType: 'text/javascript',
    body: 'onmessage = ({ data: { id } }) => postMessage({ id, progress: 1234 })',
  })
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.goto('/stories_import')
  await file(page).setInputFiles(storiesFile(rowsOf(narrative, 3), 'first.csv'))
  await expect(page.getByText('1,234')).toBeVisible()
  await deleteBox(page).check()
  await importButton(page).click()
  await expect(page.getByRole('status', { name: 'Import stories' })).toBeVisible()
  await restore()
  await file(page).setInputFiles(storiesFile(rowsOf(narrative, 2), 'second.csv'))
  await expect(page.getByText('second.csv')).toBeVisible()
  release()
  await expect(page.getByRole('status').filter({ hasText: '2 rows in 1 narrative' })).toBeVisible()
  await expect(importButton(page)).toBeEnabled()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(redText(page)).toHaveCount(0)
  expect(requests).not.toContain('POST /api/v1/stories-import/from-file')
})

test('a form whose schema cannot be loaded says so, and works once it can', async ({ page, faults }) => {
  faults.allow(/Failed to load resource/)
  const schema = '**/assets/stories-import.schema-*.js'
  const narrative = newNarrative()
  await page.route(schema, (route) => route.abort())
  await page.goto('/stories_import')
  await file(page).setInputFiles(storiesFile(rowsOf(narrative, 2)))
  await importButton(page).click()
  await expect(page.getByText('The server cannot be reached. Check your connection and try again.')).toBeVisible()
  await page.unroute(schema)
  await importButton(page).click()
  await expect(lines(page)).toContainText([`2 stories imported into narrative ${narrative}`])
})

test.describe('another backend', () => {
  test.beforeEach(async ({ page, otherBackend }) => {
    await storeToken(page, otherBackend.url, 'any')
    otherBackend.responses['GET /api/v1/users/me'] = { status: 200, body: OURS }
    await page.goto(`${otherBackend.url}/stories_import`)
    await file(page).setInputFiles(storiesFile(rowsOf(1, 1)))
  })
  const CALL = 'POST /api/v1/stories-import/from-file'

  test('its plain summaries are shown, and its errors with the usual messages', async ({
    page,
    otherBackend,
    faults,
  }) => {
    faults.allow(REFUSED)
    faults.allow(BROKEN)
    const summaries = [{ narrative_id: 7, imported_stories_count: 1234 }]
    const detail = [
      { loc: ['body', 'file'], msg: 'Value error, row 2', type: 'value_error' },
      { loc: ['body', 'file'], msg: 'Value error, row 3', type: 'value_error' },
    ]
    for (const [status, body, text] of [
      [422, { detail }, 'Value error, row 2\nValue error, row 3'],
      [400, { detail: 'No such narrative' }, 'No such narrative'],
      [502, '<h1>Bad gateway</h1>', 'Something went wrong\nThe server responded with status 502.'],
    ] as const) {
      otherBackend.responses[CALL] = { status, body }
      await importButton(page).click()
      await expect(redText(page)).toContainText(text.split('\n')[0] ?? '')
      expect(await redText(page).innerText()).toBe(text)
    }

    otherBackend.responses[CALL] = { status: 200, body: { summaries } }
    await importButton(page).click()
    await expect(lines(page)).toHaveText(['1234 stories imported into narrative 7Vectorize this narrative'])
    const sent = otherBackend.calls.filter(({ call }) => call === CALL).at(-1)?.body ?? ''
    expect(sent).toMatch(/name="delete_existing_stories"\s+false/)
    expect(sent).toContain('filename="stories.csv"')
  })

  test('a request without a response has the same key when it is sent again', async ({
    page,
    otherBackend,
    faults,
  }) => {
    faults.allow(BROKEN)
    otherBackend.responses[CALL] = { status: 504, body: 'late' }
    const send = async () => {
      const request = page.waitForRequest(IMPORT)
      await importButton(page).click()
      return (await request).headers()['idempotency-key']
    }
    const first = await send()
    await expect(redText(page)).toContainText('Something went wrong')
    expect(await send()).toBe(first)
    faults.allow(REFUSED)
    await deleteBox(page).check()
    // This backend does not count stories, but the narratives are still listed.
    const sendAndDelete = async () => {
      const request = page.waitForRequest(IMPORT)
      await importButton(page).click()
      const dialog = page.getByRole('dialog', { name: 'Delete the existing stories?' })
      await expect(dialog.getByRole('listitem')).toHaveText(['Narrative 1'])
      await dialog.getByRole('button', { name: 'Delete and import' }).click()
      return (await request).headers()['idempotency-key']
    }
    const other = await sendAndDelete()
    expect(other).not.toBe(first)
    await expect(redText(page)).toContainText('Something went wrong')
    otherBackend.responses[CALL] = { status: 200, body: { summaries: [] } }
    expect(await sendAndDelete()).toBe(other)
    await expect(page.getByRole('heading', { name: 'Imported stories.csv' })).toBeVisible()
    await file(page).setInputFiles(storiesFile(rowsOf(1, 1)))
    expect(await send()).not.toBe(other)
  })

  test('while the server works there is a loader, and leaving is confirmed', async ({ page, otherBackend }) => {
    let finish = () => {}
    const after = new Promise<void>((resolve) => {
      finish = resolve
    })
    otherBackend.responses[CALL] = { status: 200, body: { summaries: [] }, after }
    await importButton(page).click()
    await expect(page.getByRole('status', { name: 'Importing' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('The import continues on the server')
    await page.getByRole('button', { name: 'Stay' }).click()
    finish()
    await expect(page.getByRole('heading', { name: 'Imported stories.csv' })).toBeVisible()
  })

  test('there is a line for each of 100,000 narratives, in a list that scrolls', async ({ page, otherBackend }) => {
    const summaries = Array.from({ length: 100_000 }, (_, index) => ({
      narrative_id: index + 1,
      imported_stories_count: 2,
    }))
    otherBackend.responses[CALL] = { status: 200, body: { summaries } }
    await importButton(page).click()
    await expect(page.getByText('200,000 new stories in 100,000 narratives')).toBeVisible()
    await expect(lines(page).first()).toContainText('2 stories imported into narrative 1')
    expect(await lines(page).count()).toBeLessThan(100)
    await expect(lines(page).first()).toHaveAttribute('aria-setsize', '100000')
    await page
      .getByRole('list', { name: 'Imported stories.csv' })
      .locator('..')
      .evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await expect(lines(page).last()).toContainText('2 stories imported into narrative 100000')
  })
})

test('works with the keyboard only', async ({ page }) => {
  const narrative = newNarrative()
  // Registered from the start: the key would open the dialog before the browser knows of a later listener.
  page.on('filechooser', (chooser) => void chooser.setFiles(storiesFile(rowsOf(narrative, 1))))
  await page.goto('/stories_import')
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
  await expect(page).toHaveURL(`/narratives_vectorization?narrative_id=${narrative}`)
})

test('axe finds nothing in either scheme, at either width', async ({ page, faults }) => {
  faults.allow(REFUSED)
  await page.goto('/stories_import')
  await importButton(page).click()
  await page.getByText('File is required').waitFor()
  await expectAccessible(page)
  await deleteBox(page).check()
  await file(page).setInputFiles(storiesFile([['x', 'a', 'b']]))
  await importButton(page).click()
  await redText(page).waitFor()
  await expectAccessible(page)
  await file(page).setInputFiles(storiesFile([...rowsOf(newNarrative(), 2), ...rowsOf(newNarrative(), 2)]))
  await importButton(page).click()
  await lines(page).first().waitFor()
  await expectAccessible(page)
})
