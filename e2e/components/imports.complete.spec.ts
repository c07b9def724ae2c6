import { getOperation, listOperationRows, listOperations } from '@watchdesk/contract/operations/operations'
import { anImport } from '../imports-page.ts'
import { expectRow } from '../sources-page.ts'
import { answerList, expect, test } from './test.ts'

test('rows are cards on a phone, with the reason on a line of its own', async ({ page, backend, open }) => {
  const counts = { requested: 2, 'repeated in the file': 1, 'invalid URL': 2, 'unknown country': 1 }
  answerList(backend, listOperations, [anImport({ counts, rows_count: 6 })], getOperation)
  const row = (outcome: string, index: number) => ({
    number: index + 1,
    cells: [`${index + 2}`, `https://t.me/a_${index}`, 'Atlantis', outcome],
  })
  const outcomes = Object.entries(counts).flatMap(([outcome, count]) => Array<string>(count).fill(outcome))
  const header = ['row', 'source_url', 'source_country', 'outcome']
  backend.answer(listOperationRows, { header, rows: outcomes.map(row), total: 6 })
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/imports')
  await expect(page.getByRole('listitem').filter({ hasText: 'large.csv' })).toContainText(
    '2 added, 1 skipped, 3 failed',
  )
  await open('/imports/7')
  await page.getByRole('grid').getByRole('row').last().scrollIntoViewIfNeeded()
  await expectRow(page, 6, 'The country is not known. Write its name or two-letter code.')
})
