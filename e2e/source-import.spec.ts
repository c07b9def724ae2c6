import { readFile } from 'node:fs/promises'
import { expectAccessible } from './accessible.ts'
import { test } from './signed-in.ts'
import { alert, chip, csvFile, fileField, IMPORT, importButton, MESSY, rows, urlField } from './source-import-page.ts'
import { expect } from './test.ts'

test('a messy file: the expected outcome of each row, then the actual one, and the result sheet', async ({ page }) => {
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
  expect(sent).toEqual(['/api/v1/source_import/file', IMPORT])
  await result.getByRole('link', { name: 'Open the created sheet' }).click()
  await expect(page).toHaveURL(/\/sheets\/\d+$/)
  await expect(page.getByRole('grid')).toContainText('https://t.me/messy_two')
  await page.goBack()
  await expect(page.getByRole('status').filter({ hasText: 'Requested' })).toContainText('2 of 6 inputs')
})

test('the same file again: everything exists already, and the result says so', async ({ page }) => {
  await page.goto('/source_import')
  await fileField(page).setInputFiles(csvFile('source_url\nhttps://t.me/twice_1\nhttps://t.me/twice_2\n'))
  await importButton(page).click()
  const result = page.getByRole('status').filter({ hasText: 'Requested' })
  await expect(result).toContainText('Requested import for 2 of 2 inputs:')
  await importButton(page).click()
  await expect(result).toContainText('Requested import for 0 of 2 inputs:')
  await expect(result.getByRole('listitem')).toHaveText('2 already monitored')
})

test('the help names columns, platforms and the account, and the template has exactly the columns', async ({
  page,
}) => {
  await page.goto('/source_import')
  const help = page.getByRole('complementary', { name: 'What the file or sheet needs' })
  await expect(help).toContainText('source_url required')
  await expect(help).toContainText('source_country optional')
  await expect(help).toContainText('by name or code')
  await expect(help.getByRole('listitem')).toHaveText(['TELEGRAM', 'FACEBOOK', 'TWITTER', 'TIKTOK', 'YOUTUBE'])
  await expect(help).toContainText('must be shared with a service account')
  await expect(help).toContainText('This server has no service account')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download a template' }).click()
  const template = await download
  expect(template.suggestedFilename()).toBe('sources-template.csv')
  const content = await readFile(await template.path(), 'utf8')
  expect(content).toBe('\uFEFFsource_url,source_country\r\n')
  await fileField(page).setInputFiles({ name: 'template.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await expect(page.getByRole('status')).toHaveText('Loaded and parsed file into array of 0 records.')
})

test('a file without rows or without the URL column is marked when it is chosen; the result replaces the mark', async ({
  page,
}) => {
  await page.goto('/source_import')
  await fileField(page).setInputFiles(csvFile('source_url,source_country\n'))
  await expect(fileField(page)).toHaveAccessibleDescription(/The file has no rows below its column names\./)
  await expect(page.getByText('can be imported')).toHaveCount(0)

  const error = 'The file has no column source_url.'
  await fileField(page).setInputFiles(csvFile('url,country\nhttps://t.me/a,UA\n'))
  await expect(fileField(page)).toHaveAccessibleDescription(new RegExp(error))
  await expect(page.getByText('can be imported')).toHaveCount(0)
  await importButton(page).click()
  await expect(fileField(page)).not.toHaveAccessibleDescription(new RegExp(error))
  await expect(page.getByText(error)).toHaveCount(1)
})

test('the result counts in the singular and the plural', async ({ page }) => {
  await page.goto('/source_import')
  const lines = ['source_url,source_country', 'https://t.me/plural_1,', 'x,', 'y,', 'https://t.me/plural_2,Atlantis']
  await fileField(page).setInputFiles(csvFile(lines.join('\n')))
  await expect(page.getByText('1 of 4 rows can be imported.')).toBeVisible()
  await importButton(page).click()
  const outcomes = page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem')
  await expect(outcomes).toHaveText(['1 requested', '2 invalid URLs', '1 unknown country'])
})

test('with neither, with another address, and with a URL while a file is chosen', async ({ page }) => {
  await page.goto('/source_import')
  await importButton(page).click()
  await expect(alert(page)).toHaveText('Please enter URL or upload CSV file.')
  await expect(urlField(page)).toBeFocused()
  for (const url of ['https://evil.example/spreadsheets/', 'http://docs.google.com/spreadsheets/d/1', 'x']) {
    await urlField(page).fill(url)
    await page.keyboard.press('Enter')
    await expect(urlField(page)).toHaveAccessibleDescription(
      'URL must start with https://docs.google.com/spreadsheets/',
    )
  }
  await expect(alert(page)).toHaveCount(0)
  await expect(fileField(page)).toBeDisabled()
  await urlField(page).fill('')
  await expect(fileField(page)).toBeEnabled()
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(rows(page)).toHaveCount(6)
  await urlField(page).fill('https://docs.google.com/')
  await expect(fileField(page)).toBeDisabled()
  await expect(rows(page)).toHaveCount(0)
  await urlField(page).fill('')
  await expect(rows(page)).toHaveCount(6)
})

test('a file is dropped, replaced by another, and removed with the keyboard', async ({ page }) => {
  // Registered from the start: the key would open the dialog before the browser knows of a later listener.
  page.on('filechooser', (chooser) => void chooser.setFiles(csvFile(MESSY, 'chosen.csv')))
  await page.goto('/source_import')
  await expect(fileField(page)).toBeEnabled()
  const drop = (name: string, target: string) =>
    page.evaluate(
      ([name, target]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['source_url\nhttps://t.me/dropped\n'], name))
        for (const type of ['dragenter', 'dragover', 'drop'])
          document
            .querySelector(target)
            ?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      },
      [name, target] as const,
    )
  await drop('outside.csv', 'h1')
  await expect(page.getByText('outside.csv')).toHaveCount(0)
  await drop('dropped.csv', 'input[type=file]')
  await expect(fileField(page)).toHaveAccessibleDescription(/^dropped\.csv/)
  await expect(rows(page)).toHaveCount(1)
  await drop('dropped.pdf', 'input[type=file]')
  await expect(fileField(page)).toHaveAccessibleDescription(/File must be of type csv or xlsx\.$/)
  await expect(rows(page)).toHaveCount(0)
  await importButton(page).click()
  await expect(fileField(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Remove dropped.pdf' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(fileField(page)).toBeFocused()
  await expect(fileField(page)).toHaveAccessibleDescription('')
  await page.keyboard.press('Space')
  await expect(rows(page)).toHaveCount(6)
})

test('axe finds nothing in either scheme, at either width', async ({ page }) => {
  await page.goto('/source_import')
  await importButton(page).click()
  await expect(alert(page)).toBeVisible()
  await expectAccessible(page)
  await fileField(page).setInputFiles(csvFile('a,b\n1\n'))
  await expect(page.getByText('Header values mismatch')).toBeVisible()
  await expectAccessible(page)
  await fileField(page).setInputFiles(csvFile(MESSY))
  await expect(rows(page)).toHaveCount(6)
  await chip(page, 'invalid URL').click()
  await expectAccessible(page)
  await importButton(page).click()
  await expect(page.getByText(/^Requested import/)).toBeVisible()
  await urlField(page).fill('x')
  await page.keyboard.press('Enter')
  await expectAccessible(page)
})
