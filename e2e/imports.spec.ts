import { chip, importFile, result, rowOf } from './imports-page.ts'
import { expectRow, grid } from './sources-page.ts'
import { expect } from './test.ts'
import { test, unique } from './workspaces-page.ts'

test('an import is listed with its file, person, state, counts and proof, and its page shows its result, its proof and every row with a reason in words', async ({
  page,
  api,
}) => {
  const word = unique('mixed')
  const {
    name,
    path,
    result: sent,
  } = await importFile(api, [
    { source_url: `https://t.me/${word}`, source_country: 'Ukraine' },
    { source_url: `https://t.me/${word}_b` },
    { source_url: `https://telegram.me/${word}/` },
    { source_url: 'https://mastodon.example/@someone' },
    { source_url: 'no address' },
    { source_url: `https://t.me/${word}_c`, source_country: 'Atlantis' },
  ])
  await page.goto('/imports')
  await expect(page).toHaveTitle('Imports and changes · Watchdesk')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Imports' })).toHaveAttribute('aria-current')
  const row = rowOf(page, name)
  await expect(row).toContainText('Source import · 2 KB')
  await expect(row).toContainText('2 added, 1 skipped, 3 failed')
  await expect(row).toContainText('Done')
  await expect(row).toContainText('Verified')
  await expect(row).toContainText('by Super Admin')
  await expect(row).toContainText(/\d s$/)
  await page.getByRole('link', { name }).click()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(result(page)).toContainText('2 of 6 rows added')
  await expect(result(page)).toContainText('Verified: 2 of 2 stored')
  await expect(page.getByText(/^Source import by Super Admin on .* · 2 KB · took /)).toBeVisible()
  await expect(grid(page)).toHaveAccessibleName(`Rows of ${name}`)
  await expectRow(page, 1, /requested.*The source was added\./)
  await expectRow(page, 6, /Atlantis.*The country is not known\. Write its name or two-letter code\./)
  await chip(page, 'unknown country').press('Enter')
  await expect(page).toHaveURL(`${path}?outcome=unknown+country`)
  await expect(grid(page).getByRole('rowheader')).toHaveText(['6'])
  await page.reload()
  await expect(chip(page, 'unknown country')).toHaveAttribute('aria-pressed', 'true')
  await expect(grid(page).getByRole('rowheader')).toHaveText(['6'])
  await page.goBack()
  await expect(grid(page).getByRole('rowheader')).toHaveCount(6)
  // A part of the bar does the same with the mouse.
  await page.getByTitle('requested: 2').click()
  await expect(grid(page).getByRole('rowheader')).toHaveText(['1', '2'])
  await page.getByTitle('requested: 2').click()
  await expect(grid(page).getByRole('rowheader')).toHaveCount(6)

  await expect(page.getByRole('link', { name: 'Show its sources' })).toHaveAttribute(
    'href',
    `/sources?import_id=${path.split('/').at(-1)}`,
  )
  await page.getByRole('link', { name: 'Open the created sheet' }).click()
  await expect(page).toHaveURL(new URL(sent.created_sheet_url ?? '').pathname)
  await page.goBack()
  await page.getByRole('link', { name: 'Show in Activity' }).click()
  await expect(page.getByText('added 2 of 6 sources')).toBeVisible()
})
