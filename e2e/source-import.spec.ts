import { chip, csvFile, fileField, importButton, MESSY, rows } from './source-import-page.ts'
import { expect } from './test.ts'
import { test } from './workspaces-page.ts'

test('a messy file: the expected outcome of each row, then the actual one, and the result sheet; the same file again: everything exists already', async ({
  page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'POST') sent.push(pathname + search)
  })
  await page.goto('/source_import')
  await expect(page).toHaveTitle('Source import · Watchdesk')
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(page.getByRole('status')).toHaveText('Loaded and parsed file into array of 6 records.')
  for (const [name, count] of Object.entries({
    All: 6,
    ready: 2,
    'repeated in the file': 1,
    'unsupported platform': 1,
    'invalid URL': 1,
    'unknown country': 1,
  }))
    await expect(chip(page, name)).toHaveText(`${name} ${count}`)
  await expect(rows(page)).toHaveText([
    '2https://t.me/messy_oneУкраїна UATELEGRAMready',
    '3https://www.t.me/messy_one/UATELEGRAMrepeated in the fileSkip row 3',
    '5https://example.com/pageUAunsupported platformSkip row 5',
    '6no addressinvalid URLSkip row 6',
    '7https://t.me/messy_twoAtlantisTELEGRAMunknown countrySkip row 7',
    '8https://facebook.com/profile.php?id=77Poland PLFACEBOOKready',
  ])
  await chip(page, 'ready').click()
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).last()).toContainText('profile.php?id=77')
  await chip(page, 'ready').click()
  await expect(rows(page)).toHaveCount(6)
  expect(sent).toEqual([])

  await importButton(page).click()
  const result = page.getByRole('status').filter({ hasText: 'Requested' })
  await expect(result).toContainText('Requested import for 2 of 6 inputs:')
  await expect(result.getByRole('listitem')).toHaveText(
    ['2 requested', '1 repeated in the file', '1 unsupported platform', '1 invalid URL', '1 unknown country'],
    { useInnerText: true },
  )
  expect(sent).toEqual(['/api/v1/source_import/file', '/api/v1/source_import/sources'])
  await result.getByRole('link', { name: 'Open the created sheet' }).click()
  await expect(page).toHaveURL(/\/sheets\/\d+$/)
  await expect(page.getByRole('grid')).toContainText('https://t.me/messy_two')
  await page.goBack()
  await expect(result).toContainText('2 of 6 inputs')

  await fileField(page).setInputFiles(csvFile(MESSY))
  await importButton(page).click()
  await expect(result).toContainText('Requested import for 0 of 6 inputs:')
  await expect(result.getByRole('listitem').first()).toHaveText('2 already monitored')
})
