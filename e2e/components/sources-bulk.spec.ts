import { getOperation, listOperationRows } from '@watchdesk/contract/operations/operations'
import { changeSources, listSources } from '@watchdesk/contract/sources'
import { anImport } from '../imports-page.ts'
import { addresses, bar, box, setCountryOfTwo } from '../monitored-page.ts'
import { expectRow } from '../sources-page.ts'
import { button, dialog, toast } from '../workspaces-page.ts'
import { Refusal } from './backend.ts'
import { aSource } from './records.ts'
import { answerList, expect, test } from './test.ts'

const sources = (count: number) =>
  Array.from({ length: count }, (_, index) => aSource({ id: index + 1, url: `https://t.me/bread${index}` }))

test('sources that have the country already are counted in the message, and those that are gone are not', async ({
  page,
  backend,
  open,
}) => {
  answerList(backend, listSources, sources(2))
  backend.answer(changeSources, { changed_count: 1, import_id: 5, job_id: null })
  await open('/sources')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await setCountryOfTwo(page, 'germ')
  await expect(toast(page)).toContainText('Country of 1 source set to Germany. 1 had it already.')
  // Not lost with the bar, so that the keyboard continues on this page.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  backend.refuse(changeSources, 409, '1 source matches.')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await setCountryOfTwo(page, 'No country')
  await expect(dialog(page)).toHaveAccessibleName('Set the country of 1 source')
  await expect(dialog(page).getByRole('combobox', { name: 'Country' })).toHaveValue('No country')
  backend.answer(changeSources, { changed_count: 0, import_id: null, job_id: null })
  await button(page, 'Set the country of 1 source').click()
  await expect(toast(page).last()).toContainText('Nothing had to be changed.')
})

test('if the number has changed, nothing happens until the new one is confirmed', async ({ page, backend, open }) => {
  const rows = sources(3)
  answerList(backend, listSources, rows)
  backend.answer(changeSources, ({ body: { expected_count } }) => {
    if (expected_count !== rows.length) return new Refusal(409, '4 sources match.')
    rows.length = 0
    return { changed_count: expected_count, import_id: 5, job_id: null }
  })
  await open('/sources?search=bread')
  await box(page, 'bread0').check()
  await button(page, 'Select all 3 that match').click()
  await bar(page).getByRole('button', { name: 'Remove' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Remove 3 sources?')
  rows.push(aSource({ id: 4, url: 'https://t.me/breadnew' }))
  await button(page, 'Remove 3 sources').click()
  await expect(dialog(page)).toHaveAccessibleName('Remove 4 sources?')
  await expect(dialog(page).getByRole('alert')).toHaveText('Nothing was changed yet, because 4 sources match now.')
  await button(page, 'Remove 4 sources').click()
  await expect(toast(page)).toContainText('4 sources removed.')
  await expect(page.getByRole('main')).toContainText('No sources match.')
})

test('a change can be followed to its import, and shows its progress', async ({ page, backend, open }) => {
  answerList(backend, listSources, sources(2))
  backend.answer(changeSources, { changed_count: 1, import_id: 5, job_id: null })
  backend.answer(getOperation, anImport({ kind: 'sources_change', summary: 'Removed 1 source', rows_count: 1 }))
  const rows = [{ number: 1, cells: ['t.me/bread1', 'Poland', 'removed'] }]
  backend.answer(listOperationRows, { header: ['source_url', 'before', 'after'], rows, total: 1 })
  const release = backend.hold(changeSources)
  await open('/sources')
  await box(page, 'bread1').check()
  await bar(page).getByRole('button', { name: 'Remove' }).click()
  await button(page, 'Remove 1 source').click()
  await expect(bar(page)).toContainText('Removing 1 source…')
  await expect(bar(page).getByRole('button')).toHaveCount(0)
  release()
  await expect(toast(page)).toContainText('1 source removed.')
  await toast(page).getByRole('link', { name: 'Show' }).click()
  await expect(page).toHaveURL('/imports/5')
  await expect(page.getByRole('main')).toContainText('Removed 1 source')
  await expectRow(page, 1, /t.me\/bread1.*Poland.*removed/)
})

test('another filter ends the selection of all that match', async ({ page, backend, open }) => {
  answerList(backend, listSources, sources(2))
  await open('/sources?search=bread')
  await box(page, 'bread0').check()
  await button(page, 'Select all 2 that match').click()
  await expect(box(page, 'bread1')).toBeChecked()
  await box(page, 'bread0').uncheck()
  await expect(bar(page)).toContainText('1 selected')
  await button(page, 'Select all 2 that match').click()
  await page.getByRole('searchbox').fill('bread1')
  await expect(addresses(page)).toHaveCount(1)
  await expect(bar(page)).toHaveCount(0)
  expect(backend.calls(changeSources)).toEqual([])
})
