import { type ListedSheet, listSheets, updateSheet } from '@watchdesk/contract/sheets'
import { answerList, expect, test } from './test.ts'

const AT = '2026-11-15T09:30:00Z'

test('fits a phone as cards', async ({ page, backend, open }) => {
  const title = 'A sheet with a title that is too long for one line of a card on a phone'
  const sheet = {
    ...{ id: 7, title, origin: 'source_import' as const, row_count: 2, version: 3, bytes: 90, days_left: 90 },
    ...{ created_at: AT, updated_at: AT, created_by: null, created_by_import: null, config_keys: [] },
  } satisfies ListedSheet
  const sheets: ListedSheet[] = [sheet]
  answerList(backend, listSheets, sheets)
  backend.answer(updateSheet, ({ body }) => {
    sheets[0] = { ...sheet, ...body }
    return { ...sheet, header: ['a'], outcomes: null, rows_id: 1, ...body }
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/sheets')
  const card = page.getByRole('list', { name: 'Sheets' }).getByRole('listitem').filter({ hasText: title })
  await expect(card).toContainText('Moves to bin in 90 days')
  await card.getByRole('button', { name: `Rename ${title}` }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(`${title}!`)
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: `${title}!` })).toBeVisible()
})
