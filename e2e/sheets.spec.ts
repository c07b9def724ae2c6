import type { Page } from '@playwright/test'
import { toast } from './imports-page.ts'
import { downloadFile, expectRow, grid, importRows, replaceWith } from './sources-page.ts'
import { expect } from './test.ts'
import { test, unique } from './workspaces-page.ts'

const LONG = 'long_name_'.repeat(30)
const ROWS: { source_url: string; source_country?: string }[] = [
  { source_url: 'https://t.me/first', source_country: 'Ukraine' },
  { source_url: 'javascript:alert(1)' },
  { source_url: '=HYPERLINK("https://evil.example","x")', source_country: '@SUM(1)' },
  { source_url: 'https://mastodon.example/@someone' },
  { source_url: `https://t.me/first_${LONG}` },
  { source_url: 'https://telegram.me/first/' },
  { source_url: 'https://t.me/nowhere', source_country: 'Atlantis' },
]

const chip = (page: Page, name: string) => page.getByRole('group').getByRole('button', { name })

test('lists every row with its outcome; only web addresses are links; rows are filtered in the address, and files contain nothing that a spreadsheet would run and replace the sheet', async ({
  page,
  api,
}) => {
  const own = unique('few')
  const path = await importRows(
    api,
    ROWS.map((row) => ({ ...row, source_url: row.source_url.replace('/first', `/${own}`) })),
  )
  await page.goto(path)
  await expect(page.getByText(/^7 rows, created by Super Admin on .*\d{4}/)).toBeVisible()
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  await expect(page).toHaveTitle(`${title} · Watchdesk`)
  await expect(grid(page)).toHaveAccessibleName(title)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '8')
  await expect(page.getByRole('columnheader')).toHaveText([
    '#',
    'row',
    'source_url',
    'source_country',
    'platform',
    'outcome',
  ])
  await expectRow(page, 1, 'requested')
  await expectRow(page, 2, /javascript:alert\(1\).*invalid URL/)
  await expectRow(page, 3, '=HYPERLINK("https://evil.example","x")')
  await expectRow(page, 4, 'unsupported platform')
  await expectRow(page, 6, 'repeated in the file')
  await expectRow(page, 7, /Atlantis.*unknown country/)
  for (const link of await grid(page).getByRole('link').all()) {
    expect(await link.getAttribute('href')).toMatch(/^https:/)
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  }
  await expect(grid(page).getByRole('link')).toHaveCount(5)
  const cut = grid(page).getByRole('gridcell').filter({ hasText: LONG })
  await cut.hover()
  await expect(cut).toHaveAttribute('title', new RegExp(`^https://t.me/few.*_${LONG}$`))
  await expect(page.getByRole('group').getByRole('button')).toHaveText([
    'All 7',
    'requested 2',
    'repeated in the file 1',
    'unsupported platform 1',
    'invalid URL 2',
    'unknown country 1',
  ])
  await expect(chip(page, 'All')).toHaveAttribute('aria-pressed', 'true')
  const csv = await downloadFile(page, 'Download CSV')
  expect(csv.name).toMatch(/\.csv$/)
  expect(csv.name.slice(0, 8)).toBe(title.slice(0, 8))
  expect(csv.text).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")",'@SUM(1)`)
  await chip(page, 'invalid URL').click()
  await expect(page).toHaveURL(/\?outcome=invalid(\+|%20)URL$/)
  await expect(grid(page).getByRole('rowheader')).toHaveText(['2', '3'])
  await expect(chip(page, 'invalid URL')).toHaveAttribute('aria-pressed', 'true')
  const xlsx = await downloadFile(page, 'Download XLSX')
  expect(xlsx.name).toMatch(/ - invalid URL\.xlsx$/)
  expect(xlsx.content.subarray(0, 2).toString()).toBe('PK')
  await page.reload()
  await expect(grid(page).getByRole('rowheader')).toHaveText(['2', '3'])
  await page.goBack()
  await expect(grid(page).getByRole('rowheader')).toHaveCount(7)

  await replaceWith(page, csv.name, csv.text)
  await expect(toast(page)).toHaveText('Sheet replaced. It now has 7 rows.')
  await expectRow(page, 3, /^3\s*4\s*=HYPERLINK\("https:\/\/evil\.example","x"\)\s*@SUM\(1\)/)
  await expect(page).toHaveURL(path)
})
