import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import { expectAccessible } from './accessible.ts'
import { unique } from './seed.ts'
import { test } from './signed-in.ts'
import { button, choose, green, openPage, red, SHEET_ID, toSheet } from './source-management-page.ts'
import { downloadFile, expectRow, grid, importRows, replaceWith } from './sources-page.ts'
import { expect } from './test.ts'

const CONFIG = '/api/v1/config/website_config'

test('says which sheet an import would read, or that there is none; an export sets the first', async ({
  page,
  api,
}) => {
  await api('PATCH', CONFIG, { sources_sheet_ok: '', sources_sheet_vk: SHEET_ID })
  await openPage(page)
  await choose(page, 'VK')
  const google = page.getByRole('link', { name: 'the VK sheet' })
  await expect(google).toHaveAttribute('href', `https://docs.google.com/spreadsheets/d/${SHEET_ID}`)
  await expect(google).toHaveAttribute('rel', 'noopener noreferrer')
  await choose(page, 'OK')
  await expect(page.getByText('No sheet is set for OK yet.')).toBeVisible()
  await button(page, 'Import sources').click()
  await expect(red(page)).toHaveText(/^No sheet is set for OK\./)
  await expect(button(page, 'Import sources')).toBeFocused()

  await button(page, 'Export sources').click()
  await expect(green(page)).toHaveText('0 OK sources exported. Open the sheet')
  await expect(red(page)).toHaveCount(0)
  const { sources_sheet_ok } = await api<WebsiteConfig>('GET', CONFIG)
  expect(sources_sheet_ok).toContain('/sheets/')
  await expect(page.getByRole('link', { name: 'the OK sheet' })).toHaveAttribute('href', sources_sheet_ok)
  // The result stays that of its own platform when another one is chosen.
  await choose(page, 'VK')
  await expect(green(page)).toContainText('OK sources exported')
  await toSheet(page).click()
  await expect(page).toHaveURL(sources_sheet_ok)
  await expect(page.getByText('This sheet has no rows.')).toBeVisible()
})

test('export, edit, replace and import by platform', async ({ page, api }) => {
  await api('PATCH', CONFIG, { sources_sheet_tiktok: '' })
  const names = [unique('alpha'), unique('beta'), unique('gamma')]
  const urls = names.map((name) => `https://tiktok.com/@${name}`)
  await importRows(
    api,
    urls.map((source_url) => ({ source_url, source_country: 'PL' })),
  )

  await openPage(page)
  await choose(page, 'TIKTOK')
  await button(page, 'Export sources').click()
  await toSheet(page).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^TIKTOK sources, /)
  for (const url of urls) await expect(grid(page).getByRole('link', { name: url })).toBeVisible()
  const { name, text } = await downloadFile(page, 'Download CSV')
  expect(name).toMatch(/^TIKTOK sources.*\.csv$/)
  const [first = '', second = ''] = urls
  const known = text.trim().split('\r\n').length - 1

  const edited = `${text.replace(`${first},PL`, `${first},Ukraine`)}https://www.tiktok.com/@${unique('delta')}/,ua,\r\nhttps://vk.com/x,,\r\n${second},,\r\nhttps://tiktok.com/@${unique('e')},Atlantis,\r\n`
  await replaceWith(page, 'edited.csv', edited)
  await expect(page.locator('[data-kind=success]')).toHaveText(`Sheet replaced. It now has ${known + 4} rows.`)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(known + 5))
  await expect(grid(page)).toContainText('Atlantis')

  await page.getByRole('main').getByRole('link', { name: 'Source management' }).click()
  await choose(page, 'TIKTOK')
  await button(page, 'Import sources').click()
  const line = `TIKTOK sources partly imported. 1 added, 1 updated, ${known - 1} unchanged, 3 skipped. Open the sheet`
  await expect(green(page).locator('p').first()).toHaveText(line)
  await expect(green(page).getByRole('heading')).toHaveText('3 rows skipped')
  await expect(green(page).getByRole('listitem')).toHaveText([
    `Row ${known + 3} URL of another platform`,
    `Row ${known + 4} repeated in the sheet`,
    `Row ${known + 5} unknown country`,
  ])
  await expectAccessible(page)
  await toSheet(page).click()
  await expectRow(page, 1, 'tiktok.com')
})
