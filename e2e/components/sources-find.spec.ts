import type { Page } from '@playwright/test'
import { type FoundAddress, findSources } from '@watchdesk/contract/sources'
import { resultChip as chip, find } from '../monitored-page.ts'
import { downloadFile } from '../sources-page.ts'
import { button, field, rows } from '../workspaces-page.ts'
import { expect, test } from './test.ts'

const missing = (written: string): FoundAddress => ({
  written,
  outcome: 'not monitored',
  source: { id: null, platform: 'TELEGRAM', url: `https://${written}`, country: null },
})

test.beforeEach(async ({ backend, open }) => {
  backend.answer(findSources, ({ body: { addresses } }) => ({
    objects: addresses.map(missing),
    counts: { 'not monitored': addresses.length },
  }))
  await open('/sources/find')
})

test('a group is copied, and downloaded as CSV', async ({ page, backend, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const objects: FoundAddress[] = [
    {
      written: 't.me/a',
      outcome: 'monitored',
      source: { id: 1, platform: 'TELEGRAM', url: 'https://t.me/a', country: 'UA' },
    },
    missing('t.me/b'),
    { written: '=1+1', outcome: 'invalid URL', source: null },
  ]
  backend.answer(findSources, { objects, counts: { monitored: 1, 'not monitored': 1, 'invalid URL': 1 } })
  await find(page, 't.me/a\nt.me/b\n=1+1')
  await chip(page, 'Not monitored').click()
  await button(page, 'Copy').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('t.me/b')
  await chip(page, 'All').click()
  const { name, text } = await downloadFile(page, 'Download CSV')
  expect(name).toBe('addresses-all.csv')
  expect(text).toBe(
    [
      '\uFEFFaddress,result,source_url,platform,source_country',
      't.me/a,Monitored,https://t.me/a,TELEGRAM,UA',
      't.me/b,Not monitored,https://t.me/b,TELEGRAM,',
      // Not a formula for a spreadsheet program.
      "'=1+1,Invalid,,,",
      '',
    ].join('\r\n'),
  )
})

test('addresses come from a text file or a column of a CSV file, chosen or dropped', async ({ page }) => {
  await openFile(page, 'list.txt', 't.me/one\r\nt.me/two\r\n')
  await expect(field(page, 'Addresses')).toHaveValue('t.me/one\nt.me/two')
  await openFile(page, 'sources.csv', 'source_country,source_url,note\nUA,t.me/three,"a, b"\nPL,t.me/four,\n')
  await expect(field(page, 'Addresses')).toHaveValue('t.me/three\nt.me/four')
  await openFile(page, 'picture.png', 'x')
  await expect(field(page, 'Addresses')).toHaveAccessibleDescription(/File must be of type txt or csv\./)
  await field(page, 'Addresses').evaluate((area) => {
    const data = new DataTransfer()
    data.items.add(new File(['t.me/five;t.me/six'], 'dropped.csv'))
    area.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  })
  await expect(field(page, 'Addresses')).toHaveValue('t.me/five;t.me/six')
  await expect(page.getByRole('main')).toContainText('2 addresses')
})

async function openFile(page: Page, name: string, text: string) {
  const choosing = page.waitForEvent('filechooser')
  await button(page, 'Open a file').click()
  await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
}

test('more than 10,000 addresses are not sent, and 10,000 are shown in pages', async ({ page, backend }) => {
  const lines = (length: number) => Array.from({ length }, (_, index) => `t.me/many_${index}`).join('\n')
  // From a file: typing that many lines takes a minute.
  await openFile(page, 'large.txt', lines(10_001))
  await expect(page.getByRole('main')).toContainText('10,001 addresses')
  await button(page, 'Find').click()
  await expect(field(page, 'Addresses')).toHaveAccessibleDescription(
    /These are 10,001 addresses\. At most 10,000 can be looked up at once\./,
  )
  await expect(rows(page)).toHaveCount(0)
  expect(backend.calls(findSources)).toEqual([])
  await openFile(page, 'large.txt', lines(10_000))
  await expect(page.getByRole('main')).toContainText('10,000 addresses')
  await button(page, 'Find').click()
  await expect(chip(page, 'Not monitored')).toContainText('10,000')
  await expect(rows(page)).toHaveCount(50)
  await page.getByRole('link', { name: 'Page 200' }).click()
  await expect(rows(page).last()).toContainText('t.me/many_9999')
})

test('nothing to find, and a failed search, are explained', async ({ page, backend }) => {
  await find(page, ' ,;\n')
  await expect(field(page, 'Addresses')).toHaveAccessibleDescription(/Enter at least one address\./)
  await expect(field(page, 'Addresses')).toBeFocused()
  backend.refuse(findSources, 503, 'The server is busy. Try again in a moment.')
  await find(page, 't.me/a')
  await expect(page.getByRole('alert')).toContainText('The server is busy. Try again in a moment.')
  backend.answer(findSources, { objects: [missing('t.me/a')], counts: {} })
  await button(page, 'Find').click()
  await expect(rows(page)).toHaveCount(1)
})
