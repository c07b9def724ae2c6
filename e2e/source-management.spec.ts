import { button, choose, green, openPage, toSheet } from './source-management-page.ts'
import { downloadFile, expectRow, grid, importRows, replaceWith } from './sources-page.ts'
import { expect } from './test.ts'
import { test, unique } from './workspaces-page.ts'

const CONFIG = 'config/website_config'

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
  await expect(page.getByText('No sheet is set for TIKTOK yet.')).toBeVisible()
  await button(page, 'Export sources').click()
  await expect(page.getByRole('link', { name: 'the TIKTOK sheet' })).toBeVisible()
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
  await toSheet(page).click()
  await expectRow(page, 1, 'tiktok.com')
})
