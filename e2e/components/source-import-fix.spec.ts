import type { Page } from '@playwright/test'
import { importSources } from '@watchdesk/contract/source-import'
import { expectAccessible } from '../accessible.ts'
import { prependToWorker } from '../broken-worker.ts'
import { chip, csvFile, fileField, importButton, rows } from '../source-import-page.ts'
import { downloadFile } from '../sources-page.ts'
import type { Backend } from './backend.ts'
import { expect, nextCall, test } from './test.ts'

/** One error of each kind, and rows whose correction is clear. */
const FILE = csvFile(
  [
    'note,source_url,source_country',
    'a,https://t.me/fix_one,Україна',
    '=1+1,nonsense,UA',
    'c,telegram.org/fix_three,Ukarine',
    'd,https://telegram.org/fix_four,Ukarine',
    'e,https://t.me/fix_five,Atlantis',
    'f,https://www.t.me/fix_one/,',
  ].join('\n'),
)

const grid = (page: Page) => page.getByRole('grid', { name: 'Rows of the file' })
const row = (page: Page, number: number) =>
  grid(page)
    .locator('tbody tr')
    .filter({ has: page.getByRole('rowheader', { name: String(number), exact: true }) })
const cell = (page: Page, number: number, column: 'url' | 'country' | 'skip') =>
  row(page, number).locator(`[data-column=${column}]`)
const outcome = (page: Page, number: number) => row(page, number).locator('[data-column=outcome]')
const active = (page: Page) => grid(page).locator('[data-active]')
const status = (page: Page) => page.locator('[aria-live=polite]').filter({ hasText: /./ })
const urlEditor = (page: Page) => grid(page).getByRole('textbox')
const countryEditor = (page: Page) => grid(page).getByRole('combobox')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test.beforeEach(async ({ page, backend, open }) => {
  const result = { error_message: null, requested_count: 3, created_sheet_url: null }
  backend.answer(importSources, ({ body }) => ({ ...result, inputs_count: body.sheet_records?.length ?? 0 }))
  await open('/source_import')
  await fileField(page).setInputFiles(FILE)
  await expect(rows(page)).toHaveCount(6)
})

/** The records of the import that a click sends. */
async function importedRecords(page: Page, backend: Backend) {
  const sent = nextCall(backend, importSources)
  await importButton(page).click()
  return (await sent)?.body.sheet_records
}

test('rows are corrected with the mouse and judged again at once, then imported as they were corrected', async ({
  page,
  backend,
}) => {
  await expect(outcome(page, 3)).toHaveText('invalid URL')
  await expect(outcome(page, 7)).toHaveText('repeated in the file')

  await cell(page, 3, 'url').click()
  await expect(urlEditor(page)).toHaveCount(0)
  await cell(page, 3, 'url').click()
  await urlEditor(page).fill('t.me/fix_two')
  await cell(page, 6, 'country').click()
  await expect(outcome(page, 3)).toHaveText('fixed')
  await expect(status(page)).toHaveText('Row 3: ready.')
  await expect(cell(page, 3, 'url')).toHaveAttribute('title', 'In the file: nonsense')

  await cell(page, 6, 'country').click()
  await countryEditor(page).fill('польщ')
  await page.getByRole('option', { name: 'Poland PL' }).click()
  await expect(cell(page, 6, 'country')).toHaveText('Poland PL')
  await expect(outcome(page, 6)).toHaveText('fixed')

  // Row 7 repeats row 2 until row 2 is another source.
  await cell(page, 2, 'url').dblclick()
  await urlEditor(page).fill('https://t.me/fix_two')
  await urlEditor(page).press('Enter')
  await expect(outcome(page, 7)).toHaveText('ready')
  await expect(outcome(page, 3)).toHaveText('repeated in the file')
  await expect(status(page)).toHaveText('Row 2: ready. 2 other rows changed with it.')
  await button(page, 'Undo').click()
  await expect(outcome(page, 7)).toHaveText('repeated in the file')
  await expect(outcome(page, 3)).toHaveText('fixed')
  await expect(page.getByText('3 of 6 rows can be imported.')).toBeVisible()
  await expect(page.getByText('Loaded and parsed file into array of 6 records.')).toBeVisible()

  expect(await importedRecords(page, backend)).toEqual([
    { note: 'a', source_url: 'https://t.me/fix_one', source_country: 'Україна' },
    { note: '=1+1', source_url: 't.me/fix_two', source_country: 'UA' },
    { note: 'c', source_url: 'telegram.org/fix_three', source_country: 'Ukarine' },
    { note: 'd', source_url: 'https://telegram.org/fix_four', source_country: 'Ukarine' },
    { note: 'e', source_url: 'https://t.me/fix_five', source_country: 'Poland' },
    { note: 'f', source_url: 'https://www.t.me/fix_one/' },
  ])
  await expect(page.getByText('Requested import for 3 of 6 inputs:')).toBeVisible()
})

test('all rows that are alike are corrected with one click, and none without', async ({ page }) => {
  const suggestions = page.getByRole('region', { name: 'Suggestions' }).getByRole('listitem')
  await expect(suggestions).toHaveCount(2)
  await expect(suggestions.first()).toContainText('telegram.org/fix_three → https://t.me/fix_three')
  await expect(outcome(page, 4)).toHaveText('unsupported platform')

  await suggestions.first().getByRole('button', { name: 'Show 2 like this' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(chip(page, 'Same error')).toHaveText('Same error 2')
  await suggestions.first().getByRole('button', { name: 'Apply to all 2' }).click()
  // The next suggestion, because the button is gone.
  await expect(suggestions.first().getByRole('button', { name: 'Apply to all 2' })).toBeFocused()
  await expect(cell(page, 5, 'url')).toHaveText('https://t.me/fix_four')
  await expect(outcome(page, 4)).toHaveText('unknown country')
  await expect(status(page)).toHaveText('2 rows changed.')
  await expect(rows(page)).toHaveCount(2)

  // One of the two is accepted alone.
  await cell(page, 4, 'country').getByRole('button', { name: 'Use Ukraine' }).click()
  await expect(outcome(page, 4)).toHaveText('fixed')
  await expect(outcome(page, 5)).toHaveText('unknown country')
  await suggestions.first().getByRole('button', { name: 'Apply', exact: true }).click()
  await expect(outcome(page, 5)).toHaveText('fixed')
  await expect(suggestions).toHaveCount(0)
  await expect(grid(page)).toBeFocused()
  for (const before of ['unknown country', 'unknown country', 'unsupported platform']) {
    await button(page, 'Undo').click()
    await expect(outcome(page, 5)).toHaveText(before)
  }
  await expect(button(page, 'Undo')).toBeDisabled()
  await button(page, 'Redo').click()
  await expect(outcome(page, 5)).toHaveText('unknown country')
})

test('rows are corrected with the keyboard alone, as in a spreadsheet', async ({ page }) => {
  await grid(page).focus()
  const at = async (number: number, column: string) => {
    await expect(active(page)).toHaveAttribute('data-column', column)
    await expect(row(page, number).locator('[data-active]')).toHaveCount(1)
    await expect(grid(page)).toHaveAttribute('aria-activedescendant', (await active(page).getAttribute('id')) ?? '')
  }
  await at(2, 'url')
  await page.keyboard.press('ArrowDown')
  await at(3, 'url')

  // Typing replaces the text, an arrow key ends it.
  await page.keyboard.type('t.me/fix')
  await expect(urlEditor(page)).toHaveValue('t.me/fix')
  await page.keyboard.press('ArrowDown')
  await at(4, 'url')
  await expect(cell(page, 3, 'url')).toHaveText('t.me/fix')
  await page.keyboard.press('ArrowUp')
  // F2 edits the text, Escape leaves it as it was.
  await page.keyboard.press('F2')
  await page.keyboard.press('End')
  await page.keyboard.type('_two')
  await page.keyboard.press('ArrowLeft')
  await expect(urlEditor(page)).toHaveValue('t.me/fix_two')
  await page.keyboard.press('Escape')
  await expect(cell(page, 3, 'url')).toHaveText('t.me/fix')
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.type('_two')
  await page.keyboard.press('Enter')
  await at(4, 'url')
  await expect(outcome(page, 3)).toHaveText('fixed')

  // A suggestion.
  await page.keyboard.press('Control+Enter')
  await expect(cell(page, 4, 'url')).toHaveText('https://t.me/fix_three')
  // Tab goes to the country and to the next row; typing opens the list of countries.
  await page.keyboard.press('Tab')
  await at(4, 'country')
  await page.keyboard.type('ukr')
  await expect(page.getByRole('option')).toHaveText(['Ukraine UA'])
  await page.keyboard.press('Tab')
  await at(5, 'url')
  await expect(cell(page, 4, 'country')).toHaveText('Ukraine UA')
  await expect(outcome(page, 4)).toHaveText('fixed')
  await page.keyboard.press('Shift+Tab')
  await at(4, 'country')

  // Delete clears, the first entry of the list too.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await at(6, 'country')
  await page.keyboard.press('Delete')
  await expect(cell(page, 6, 'country')).toHaveText('')
  await expect(outcome(page, 6)).toHaveText('fixed')
  await page.keyboard.press('Control+z')
  await expect(cell(page, 6, 'country')).toHaveText('Atlantis')
  await page.keyboard.press('F2')
  await page.keyboard.type('none')
  await page.keyboard.press('Enter')
  await expect(cell(page, 6, 'country')).toHaveText('')
  await expect(outcome(page, 6)).toHaveText('fixed')
  await at(7, 'country')

  // The last column skips, and takes it back.
  await page.keyboard.press('End')
  await at(7, 'skip')
  await page.keyboard.press('Enter')
  await expect(outcome(page, 7)).toHaveText('skipped')
  await page.keyboard.press('Space')
  await expect(outcome(page, 7)).toHaveText('repeated in the file')
  await page.keyboard.press('Control+z')
  await expect(outcome(page, 7)).toHaveText('skipped')
  await page.keyboard.press('Control+y')
  await expect(outcome(page, 7)).toHaveText('repeated in the file')

  await page.keyboard.press('Control+Home')
  await at(2, 'url')
  // Escape and then Tab leaves the table, and so does Tab before it is used.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(importButton(page)).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(importButton(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Requested import for')).toBeVisible()
})

test('a column of values is pasted downwards, and a cell is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chip(page, 'Only problems').click()
  await expect(rows(page)).toHaveCount(5)
  await cell(page, 3, 'url').click()
  await page.evaluate(() => navigator.clipboard.writeText('t.me/pasted_1\tPL\nt.me/pasted_2\tUA\nt.me/pasted_3\t\n'))
  await page.keyboard.press('Control+v')
  await expect(status(page)).toHaveText('3 rows changed.')
  await expect(cell(page, 4, 'url')).toHaveText('t.me/pasted_2')
  await expect(cell(page, 4, 'country')).toHaveText('UA')
  await expect(cell(page, 5, 'country')).toHaveText('')
  // They stay, although they have no error any more.
  await expect(rows(page)).toHaveCount(5)
  await expect(chip(page, 'Only problems')).toHaveText('Only problems 2')
  await chip(page, 'All').click()
  await expect(rows(page)).toHaveCount(6)
  await chip(page, 'Only problems').click()
  await expect(rows(page)).toHaveCount(2)
  await cell(page, 7, 'url').click()
  await page.keyboard.press('Control+c')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://www.t.me/fix_one/')
})

test('skipped rows are left out of the import and of the corrected file', async ({ page, backend }) => {
  for (const number of [3, 6, 7]) await cell(page, number, 'skip').getByRole('button').click()
  await expect(outcome(page, 7)).toHaveText('skipped')
  await expect(chip(page, 'skipped')).toHaveText('skipped 3')
  await expect(page.getByText('1 of 6 rows can be imported. 3 skipped.')).toBeVisible()
  await cell(page, 3, 'skip').getByRole('button', { name: 'Keep row 3' }).click()
  await expect(outcome(page, 3)).toHaveText('invalid URL')
  for (const name of ['Apply to all 2', 'Apply to all 2']) await button(page, name).first().click()
  await expect(outcome(page, 5)).toHaveText('fixed')

  const { name, text } = await downloadFile(page, 'Download corrected file')
  expect(name).toBe('sources-corrected.csv')
  expect(text).toBe(
    [
      '\uFEFFnote,source_url,source_country',
      'a,https://t.me/fix_one,Україна',
      "'=1+1,nonsense,UA",
      'c,https://t.me/fix_three,Ukraine',
      'd,https://t.me/fix_four,Ukraine',
      '',
    ].join('\r\n'),
  )
  const corrected = [
    { note: 'a', source_url: 'https://t.me/fix_one', source_country: 'Україна' },
    { note: '=1+1', source_url: 'nonsense', source_country: 'UA' },
    { note: 'c', source_url: 'https://t.me/fix_three', source_country: 'Ukraine' },
    { note: 'd', source_url: 'https://t.me/fix_four', source_country: 'Ukraine' },
  ]
  expect(await importedRecords(page, backend)).toEqual(corrected)
  await expect(page.getByText(/Requested import for \d of 4 inputs:/)).toBeVisible()
})

test('corrections are not lost without a question: another file, another page, a reload', async ({ page }) => {
  const question = page.getByRole('dialog', { name: 'Discard your corrections?' })
  await cell(page, 3, 'skip').getByRole('button').click()
  await expect(outcome(page, 3)).toHaveText('skipped')

  await fileField(page).setInputFiles(csvFile('source_url\nt.me/other', 'other.csv'))
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(fileField(page)).toHaveAccessibleDescription(/^sources\.csv/)
  await expect(outcome(page, 3)).toHaveText('skipped')

  await page.getByRole('link', { name: 'Stories import' }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page).toHaveURL(/source_import$/)

  page.once('dialog', (dialog) => {
    expect(dialog.type()).toBe('beforeunload')
    void dialog.dismiss()
  })
  await page.evaluate(() => window.location.reload())
  await expect(outcome(page, 3)).toHaveText('skipped')

  // Downloading keeps them, and so does taking them back.
  await downloadFile(page, 'Download corrected file')
  await fileField(page).setInputFiles(csvFile('source_url\nx\ny', 'other.csv'))
  await expect(rows(page)).toHaveCount(2)
  await cell(page, 2, 'url').dblclick()
  await urlEditor(page).fill('t.me/other')
  await urlEditor(page).press('Enter')
  await expect(outcome(page, 2)).toHaveText('fixed')
  await page.getByRole('link', { name: 'Stories import' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/stories_import$/)
})

test('if the reader fails, another attempt repeats the corrections', async ({ page }) => {
  const { restore } = await prependToWorker(
    page,
    "addEventListener('message', ({ data }) => { if (data.name === 'csv') throw new Error('broken') })",
  )
  await fileField(page).setInputFiles(FILE)
  await button(page, 'Apply to all 2').first().click()
  await cell(page, 3, 'skip').getByRole('button').click()
  await chip(page, 'Only problems').click()
  await expect(rows(page)).toHaveCount(4)
  await button(page, 'Download corrected file').click()
  await expect(grid(page)).toHaveCount(0)
  await restore()
  await button(page, 'Try again').click()
  await expect(chip(page, 'skipped')).toHaveText('skipped 1')
  await expect(rows(page)).toHaveCount(4)
  await expect(cell(page, 5, 'url')).toHaveText('https://t.me/fix_four')
})

test('on a phone, a tap edits the address or opens the list of countries', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await cell(page, 3, 'url').click()
  await urlEditor(page).fill('t.me/fix_phone')
  await urlEditor(page).press('Enter')
  await expect(outcome(page, 3)).toHaveText('fixed')
  await cell(page, 6, 'country').click()
  await expect(page.getByRole('option').first()).toHaveText('None')
  await countryEditor(page).fill('UA')
  await page.getByRole('option', { name: 'Ukraine UA' }).click()
  await expect(outcome(page, 6)).toHaveText('fixed')
  await cell(page, 5, 'country').click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectAccessible(page.getByRole('main'))
})
