import { getSheet, listSheetRows } from '@watchdesk/contract/sheets'
import { expectRow, grid } from '../sources-page.ts'
import { expect, test } from './test.ts'

test('shows one number for each row, on phones too', async ({ page, backend, open }) => {
  backend.answer(getSheet, {
    ...{ id: 7, title: 'Kept', origin: 'source_import', header: ['row', 'source_url', 'outcome'], row_count: 1 },
    ...{ outcomes: { requested: 1 }, created_at: '2026-11-15T09:30:00Z', created_by: null, rows_id: 1, version: 3 },
  })
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
