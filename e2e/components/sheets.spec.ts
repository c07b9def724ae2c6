import type { Page } from '@playwright/test'
import {
  downloadSheet,
  getSheet,
  listSheetRows,
  replaceSheet,
  type Sheet,
  updateSheet,
} from '@watchdesk/contract/sheets'
import { toast } from '../imports-page.ts'
import { chooseReplacement, downloadFile, expectRow, grid, replaceWith } from '../sources-page.ts'
import { type Backend, Refusal } from './backend.ts'
import { expect, test } from './test.ts'

/** Taller than any browser's tallest element at 36 pixels each, so that the scrollbar is scaled. */
const MANY = 250_000

const SHEET: Sheet = {
  id: 7,
  title: 'Kept',
  origin: 'source_import',
  header: ['row', 'source_url', 'outcome'],
  row_count: 3,
  outcomes: { requested: 2, 'invalid URL': 1 },
  created_at: '2026-11-15T09:30:00Z',
  created_by: null,
  rows_id: 1,
  version: 3,
}
const ROWS = [
  ['2', 'https://t.me/first', 'requested'],
  ['3', 'javascript:alert(1)', 'invalid URL'],
  ['4', 'https://t.me/second', 'requested'],
]

const chip = (page: Page, name: string) => page.getByRole('group').getByRole('button', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const red = (page: Page) => page.getByRole('main').getByRole('alert')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

function answerSheet(backend: Backend, fields: Partial<Sheet>, cellsOf: (number: number) => string[]) {
  const sheet = { ...SHEET, ...fields }
  const all = Array.from({ length: sheet.row_count }, (_, index) => index + 1)
  backend.answer(getSheet, sheet)
  backend.answer(listSheetRows, ({ query: { outcome, offset = 0, limit = 200 } }) => {
    const found = outcome ? all.filter((number) => cellsOf(number).includes(outcome)) : all
    const numbers = found.slice(Number(offset), Number(offset) + Number(limit))
    const rows = numbers.map((number) => ({ number, cells: cellsOf(number) }))
    return { rows, total: found.length, version: sheet.version }
  })
  return sheet
}

const answerMany = (backend: Backend) =>
  answerSheet(backend, { header: ['row', 'a'], row_count: MANY }, (number) => [`${number + 1}`, `x${number}`])

/** The sheet has one row once it is replaced. */
function answerReplacement(backend: Backend, header: string[], cells: string[]) {
  const replaced = { header, row_count: 1, outcomes: null, rows_id: 2, version: 4 }
  backend.answer(replaceSheet, () => answerSheet(backend, replaced, () => cells))
}

/** The number of the first fully visible row, and its distance from the top. */
function atTop(page: Page) {
  return grid(page).evaluate((element) => {
    const top = element.getBoundingClientRect().top + (element.querySelector('thead')?.offsetHeight ?? 0)
    const rows = [...element.querySelectorAll('tbody tr')]
    const row = rows.find((candidate) => candidate.getBoundingClientRect().bottom > top + 1)
    return {
      number: Number(row?.querySelector('th')?.textContent),
      cut: Math.round(top - (row?.getBoundingClientRect().top ?? 0)),
    }
  })
}

test.beforeEach(({ backend }) => {
  answerSheet(backend, {}, (number) => ROWS[number - 1] ?? [])
})

test('any of very many rows can be scrolled to, and the wheel moves them pixel by pixel', async ({
  page,
  backend,
  open,
}) => {
  answerMany(backend)
  await open('/sheets/7')
  await expectRow(page, 1, 'x1')
  expect(await grid(page).evaluate((element) => element.scrollHeight)).toBeLessThan(MANY * 36)
  await grid(page).press('End')
  await expectRow(page, MANY, `x${MANY}`)
  await grid(page).press('ArrowUp')
  await expect(grid(page).locator('[aria-selected=true]')).toContainText(`x${MANY - 1}`)
  await grid(page).press('Home')
  await expectRow(page, 1, 'x1')

  await page.getByLabel('Go to row').fill('125,001')
  await page.keyboard.press('Enter')
  await expectRow(page, 125_000, 'x125000')
  await expect(grid(page)).toBeFocused()
  expect(await atTop(page)).toEqual({ number: 125_000, cut: 0 })
  await grid(page).hover()
  await page.mouse.wheel(0, 36 * 20 + 5)
  await expect.poll(() => atTop(page)).toEqual({ number: 125_020, cut: 5 })
  await page.mouse.wheel(0, -36 * 20 - 5)
  await expect.poll(() => atTop(page)).toEqual({ number: 125_000, cut: 0 })
  await expectRow(page, 125_000, 'x125000')
  await grid(page).press('PageDown')
  await grid(page).press('PageUp')
  await expect(grid(page).locator('[aria-selected=true]')).toContainText('x125000')

  // Like dragging the scrollbar.
  await grid(page).evaluate((element) => {
    element.scrollTop = (element.scrollHeight - element.clientHeight) / 4
  })
  await expect.poll(async () => Math.abs((await atTop(page)).number - MANY / 4)).toBeLessThan(30)
  const { number } = await atTop(page)
  await expectRow(page, number + 1, `x${number + 1}`)
})

test('a row of the grid opens its link with Enter, and the focus stays', async ({ page, context, open, faults }) => {
  faults.allowOrigin('https://t.me')
  await context.route('https://t.me/**', (route) => route.fulfill({ body: 'elsewhere' }))
  await open('/sheets/7')
  await expectRow(page, 1, 'requested')
  await grid(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect(grid(page)).toHaveAttribute('aria-activedescendant', /.+/)
  const opened = context.waitForEvent('page')
  await page.keyboard.press('Enter')
  expect((await opened).url()).toBe('https://t.me/first')
  await page.bringToFront()
  await expect(grid(page)).toBeFocused()
})

test('a replacement is confirmed by name, and can be cancelled; the sheet still leads to the page that created it', async ({
  page,
  backend,
  open,
}) => {
  backend.refuse(replaceSheet, 422, 'Header values mismatch in rows: 3.')
  await open('/sheets/7')
  await expectRow(page, 1, 'requested')
  await chooseReplacement(page, 'notes.pdf', 'x')
  await expect(red(page)).toHaveText('File must be of type csv or xlsx.')
  await chooseReplacement(page, 'new.csv', 'a,b\r\n1,2\r\n')
  const dialog = page.getByRole('dialog', { name: 'Replace this sheet with new.csv?' })
  await expect(dialog).toContainText('3 rows of “Kept”')
  await expect(red(page)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  expect(backend.calls(replaceSheet)).toEqual([])

  await replaceWith(page, 'ragged.csv', 'a,b\r\n1,2\r\n1,2,3\r\n')
  await expect(red(page)).toContainText('Header values mismatch in rows: 3.')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '4')

  await chip(page, 'requested').click()
  await expect(page).toHaveURL('/sheets/7?outcome=requested')
  answerReplacement(backend, ['a', 'b'], ['1', 'https://example.com/'])
  await replaceWith(page, 'new.csv', 'a,b\r\n1,https://example.com/\r\n')
  await expect(toast(page)).toHaveText('Sheet replaced. It now has 1 row.')
  const sent = backend.calls(replaceSheet).at(-1)
  expect(sent?.headers['if-match']).toBe('"3"')
  expect(String(sent?.body)).toContain('a,b\r\n1,https://example.com/\r\n')
  await expect(page.getByRole('columnheader')).toHaveText(['#', 'a', 'b'])
  await expectRow(page, 1, 'https://example.com/')
  await expect(page.getByRole('group')).toHaveCount(0)
  await expect(red(page)).toHaveCount(0)
  await expect(page).toHaveURL('/sheets/7')
  const origin = page.getByRole('main').getByRole('link', { name: 'Source import', exact: true })
  await expect(origin).toHaveAttribute('href', '/source_import')
  await expect(page.getByRole('navigation').locator('[aria-current]')).toHaveText('Source import')
})

test('two people replace a sheet at once: the second gets an error, and sees the other sheet', async ({
  page,
  backend,
  open,
}) => {
  await open('/sheets/7')
  await expectRow(page, 1, 'requested')
  backend.answer(replaceSheet, () => {
    answerSheet(backend, { header: ['who'], row_count: 1, outcomes: null, rows_id: 3, version: 5 }, () => ['theirs'])
    return new Refusal(412, 'This sheet was changed by Vera Moroz. Nothing was replaced.')
  })
  await replaceWith(page, 'mine.csv', 'who\r\nmine\r\n')
  await expect(red(page)).toContainText(/Vera Moroz.*Nothing was replaced\./)
  await expectRow(page, 1, 'theirs')
  answerReplacement(backend, ['who'], ['mine'])
  await replaceWith(page, 'mine.csv', 'who\r\nmine\r\n')
  await expectRow(page, 1, 'mine')
  expect(backend.calls(replaceSheet).map(({ headers }) => headers['if-match'])).toEqual(['"3"', '"5"'])
})

test('renaming a sheet keeps the place in its rows', async ({ page, backend, open }) => {
  const rows = { header: ['a'], row_count: 300, outcomes: null }
  answerSheet(backend, rows, (number) => [`place_${number}`])
  backend.answer(updateSheet, ({ body: { title } }) =>
    answerSheet(backend, { ...rows, title, version: 4 }, (number) => [`place_${number}`]),
  )
  await open('/sheets/7')
  await grid(page).press('End')
  await expect(grid(page)).toContainText('place_300')
  await button(page, 'Rename').click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Renamed')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Renamed')
  await expect(grid(page)).toContainText('place_300')
  expect(await grid(page).evaluate((element) => element.scrollTop)).toBeGreaterThan(1000)
})

test('a missing sheet shows an error, with links to the pages that create sheets', async ({ page, backend, open }) => {
  backend.refuse(getSheet, 404, 'Sheet not found.')
  await open('/sheets/2147483647')
  await expect(red(page)).toContainText('Sheet not found.')
  await expect(button(page, 'Try again')).toHaveCount(0)
  const links = ['Go to Sheets', 'Go to Source import', 'Go to Source management']
  await expect(red(page).getByRole('link')).toHaveText(links)
  await red(page).getByRole('link', { name: 'Go to Source import' }).click()
  await expect(page).toHaveURL('/source_import')
})

test('rows that failed to load show an error with Try again', async ({ page, backend, open }) => {
  backend.refuse(listSheetRows, 400, 'Not now.')
  await open('/sheets/7')
  await expect(page.getByText('3 rows, created on')).toBeVisible()
  await expect(red(page)).toContainText('Rows 1–3 could not be loaded. Not now.')
  answerSheet(backend, {}, (number) => ROWS[number - 1] ?? [])
  await button(page, 'Try again').click()
  await expectRow(page, 2, 'javascript:alert(1)')
  await expect(red(page)).toHaveCount(0)
  await expect(grid(page)).toBeFocused()
})

test('a download shows its progress, can be cancelled, and shows an error when it fails', async ({
  page,
  backend,
  open,
}) => {
  backend.answer(downloadSheet, 'a\r\n1\r\n')
  const release = backend.hold(downloadSheet)
  await open('/sheets/7')
  await button(page, 'Download CSV').click()
  await expect(page.getByText('Preparing the file')).toBeVisible()
  await expect(button(page, 'Download CSV')).toHaveCount(0)
  await button(page, 'Cancel').click()
  await expect(button(page, 'Download CSV')).toBeFocused()
  await expect(red(page)).toHaveCount(0)
  release()

  backend.refuse(downloadSheet, 503, 'The database is busy.')
  await button(page, 'Download XLSX').click()
  await expect(red(page)).toHaveText('The database is busy.')
  backend.answer(downloadSheet, 'a\r\n1\r\n')
  const { name, text } = await downloadFile(page, 'Download CSV')
  expect([name, text]).toEqual(['Kept.csv', 'a\r\n1\r\n'])
  await expect(red(page)).toHaveCount(0)
})
