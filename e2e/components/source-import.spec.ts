import { importSources, serviceAccount } from '@watchdesk/contract/source-import'
import { expectAccessible } from '../accessible.ts'
import { alert, chip, csvFile, fileField, importButton, MESSY, rows, urlField } from '../source-import-page.ts'
import { downloadFile } from '../sources-page.ts'
import { expect, test } from './test.ts'

const RESULT = { error_message: null, requested_count: 1, inputs_count: 4, created_sheet_url: null }

test.beforeEach(async ({ backend, open }) => {
  backend.answer(importSources, RESULT)
  await open('/source_import')
})

test('the help names columns, platforms and the service account if the backend provides it, and the template has exactly the columns', async ({
  page,
  backend,
  open,
}) => {
  const help = page.getByRole('complementary', { name: 'What the file or sheet needs' })
  await expect(help).toContainText('source_url required')
  await expect(help).toContainText('source_country optional')
  await expect(help).toContainText('by name or code')
  await expect(help.getByRole('listitem')).toHaveText(['TELEGRAM', 'FACEBOOK', 'TWITTER', 'TIKTOK', 'YOUTUBE'])
  await expect(help).toContainText('must be shared with a service account')
  await expect(help).toContainText('This server has no service account')
  const { name, text } = await downloadFile(page, 'Download a template')
  expect(name).toBe('sources-template.csv')
  expect(text).toBe('\uFEFFsource_url,source_country\r\n')
  await fileField(page).setInputFiles(csvFile(text))
  await expect(page.getByRole('status')).toHaveText('Loaded and parsed file into array of 0 records.')

  backend.refuse(serviceAccount, 404, 'Not Found')
  await open('/source_import')
  await expect(help).toContainText('shared with a service account. Ask your administrator for its address.')
  const email = 'robot@project.iam.gserviceaccount.com'
  backend.answer(serviceAccount, { email })
  await open('/source_import')
  await expect(help).toContainText(`must be shared with the service account ${email}`)
})

test('a file without rows or without the URL column is marked when it is chosen; the result replaces the mark, and counts in the singular and the plural', async ({
  page,
  backend,
}) => {
  await fileField(page).setInputFiles(csvFile('source_url,source_country\n'))
  await expect(fileField(page)).toHaveAccessibleDescription(/The file has no rows below its column names\./)
  await expect(page.getByText('can be imported')).toHaveCount(0)

  const error = 'The file has no column source_url.'
  backend.answer(importSources, { ...RESULT, error_message: error })
  await fileField(page).setInputFiles(csvFile('url,country\nhttps://t.me/a,UA\n'))
  await expect(fileField(page)).toHaveAccessibleDescription(new RegExp(error))
  await expect(page.getByText('can be imported')).toHaveCount(0)
  await importButton(page).click()
  await expect(fileField(page)).not.toHaveAccessibleDescription(new RegExp(error))
  await expect(page.getByText(error)).toHaveCount(1)

  const outcomes = { requested: 1, 'invalid URL': 2, 'unknown country': 1 }
  backend.answer(importSources, { ...RESULT, outcomes })
  const lines = ['source_url,source_country', 'https://t.me/plural_1,', 'x,', 'y,', 'https://t.me/plural_2,Atlantis']
  await fileField(page).setInputFiles(csvFile(lines.join('\n')))
  await expect(page.getByText('1 of 4 rows can be imported.')).toBeVisible()
  await chip(page, 'invalid URL').click()
  await expectAccessible(page)
  await importButton(page).click()
  await expect(page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem')).toHaveText([
    '1 requested',
    '2 invalid URLs',
    '1 unknown country',
  ])
})

test('with neither, with another address, and with a URL while a file is chosen', async ({ page }) => {
  await importButton(page).click()
  await expect(alert(page)).toHaveText('Please enter URL or upload CSV file.')
  await expect(urlField(page)).toBeFocused()
  for (const url of ['https://evil.example/spreadsheets/', 'x']) {
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
