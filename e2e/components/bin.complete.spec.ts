import { listBin } from '@watchdesk/contract/bin'
import { bar, box } from '../bin-page.ts'
import { rows } from '../workspaces-page.ts'
import { aBinRecord } from './records.ts'
import { answerList, expect, test } from './test.ts'

test('the bar of the selection covers no row, also when the list is at its end', async ({ page, backend, open }) => {
  await page.setViewportSize({ width: 1440, height: 600 })
  const records = Array.from({ length: 12 }, (_, index) => aBinRecord({ id: index + 1, name: `No${index}` }))
  answerList(backend, listBin, records)
  await open('/bin')
  await box(page, 'No0').check()
  await page.mouse.wheel(0, 5000)
  await expect
    .poll(async () => {
      const [last, shown] = [await rows(page).last().boundingBox(), await bar(page).boundingBox()]
      return (last?.y ?? 0) + (last?.height ?? 0) <= (shown?.y ?? 0)
    })
    .toBe(true)
})
