import { getSheet, listSheetRows, type Sheet } from '@watchdesk/contract/sheets'
import { expectRow, grid } from '../sources-page.ts'
import { expect, test } from './test.ts'

const MANY = 250_000
const SHEET: Sheet = {
  ...{ id: 7, title: 'Kept', origin: 'source_import', header: ['row', 'source_url', 'outcome'], row_count: 1 },
  ...{ outcomes: { requested: 1 }, created_at: '2026-11-15T09:30:00Z', created_by: null, rows_id: 1, version: 3 },
}

test('shows one number for each row, on phones too', async ({ page, backend, open }) => {
  backend.answer(getSheet, SHEET)
  const cells = ['2', 'https://t.me/first', 'requested']
  backend.answer(listSheetRows, { rows: [{ number: 1, cells }], total: 1, version: 3 })
  await open('/sheets/7')
  await expectRow(page, 1, 'requested')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const first = grid(page).getByRole('row').nth(1)
    await expect(first.getByRole('gridcell').first()).toHaveText('2')
    await expect(async () => {
      expect((await first.getByRole('gridcell').first().boundingBox())?.width).toBeGreaterThan(8)
      expect((await first.getByRole('rowheader').boundingBox())?.width).toBe(1)
    }).toPass()
  }
})

test('rows that are scrolled past quickly are not requested', async ({ page, backend, open }) => {
  const sheet = { header: ['row', 'a'], row_count: MANY, outcomes: null }
  backend.answer(getSheet, { ...SHEET, ...sheet })
  backend.answer(listSheetRows, ({ query: { offset = 0, limit = 200 } }) => {
    const numbers = Array.from({ length: Number(limit) }, (_, index) => Number(offset) + index + 1)
    const rows = numbers
      .filter((number) => number <= MANY)
      .map((number) => ({ number, cells: [`${number + 1}`, `x${number}`] }))
    return { rows, total: MANY, version: 3 }
  })
  await open('/sheets/7')
  await expectRow(page, 1, 'x1')
  const before = backend.calls(listSheetRows).length
  const slowFrames = await grid(page).evaluate(async (element) => {
    let slow = 0
    let last = performance.now()
    for (let step = 1; step <= 40; step += 1) {
      element.scrollTop = step * 100_000
      await new Promise(requestAnimationFrame)
      if (performance.now() - last > 60) slow += 1
      last = performance.now()
    }
    return slow
  })
  const number = await grid(page).evaluate((element) => {
    const top = element.getBoundingClientRect().top + (element.querySelector('thead')?.offsetHeight ?? 0)
    const rows = [...element.querySelectorAll('tbody tr')]
    return Number(rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.querySelector('th')?.textContent)
  })
  await expectRow(page, number + 1, `x${number + 1}`)
  const asked = backend.calls(listSheetRows).slice(before)
  // The visible window and its neighbors, twice if a slow frame looked like the end of scrolling.
  expect(asked.length).toBeLessThan(10 + 5 * slowFrames)
  expect(asked.every(({ query }) => Number(query.offset) % 200 === 0)).toBe(true)
})
