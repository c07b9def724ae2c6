import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { addSources, downloaded, idOf } from './monitored-page.ts'
import { expect } from './test.ts'
import { button, choose, field, heading, row, rows, test, unique } from './workspaces-page.ts'

const chip = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Filter by result' }).getByRole('button', { name })
const main = (page: Page) => page.getByRole('main')

async function openFind(page: Page) {
  await page.goto('/sources')
  await main(page).getByRole('link', { name: 'Find addresses' }).click()
  await expect(heading(page)).toHaveText('Find addresses')
}

async function find(page: Page, text: string) {
  await field(page, 'Addresses').fill(text)
  await button(page, 'Find').click()
}

test('pasted addresses are sorted into groups, with links to the sources', async ({ page, api }) => {
  const word = unique('found')
  await addSources(api, { [`${word}a`]: 'UA', [`${word}bin`]: '' })
  const id = await idOf(api, `t.me/${word}a`)
  await api('DELETE', `sources/${await idOf(api, `t.me/${word}bin`)}`)
  await openFind(page)
  const text = `t.me/${word}a, https://t.me/${word}new;t.me/${word}bin\twww.t.me/${word}a/\nhttps://example.com/x\nno address\nvk.com/${word}`
  await field(page, 'Addresses').fill(text)
  await expect(main(page)).toContainText('7 addresses')
  await button(page, 'Find').click()
  const summary = '7 addresses: 1 monitored, 2 not monitored, 1 in the bin, 1 repeated, 1 unsupported, 1 invalid'
  await expect(main(page).getByRole('status').filter({ hasText: summary })).toHaveCount(1)
  await expect(rows(page)).toHaveCount(7)
  await expect(row(page, `www.t.me/${word}a/`)).toContainText('Repeated')
  await expect(row(page, 'no address')).toContainText(
    'This is not the address of a source. Write it like https://t.me/name.',
  )
  await expect(row(page, 'https://example.com/x')).toContainText('Sources of this platform cannot be imported here.')
  await expect(main(page)).toContainText('1 address on VK cannot be added here.')
  await expectAccessible(page)

  for (const [group, address] of Object.entries({
    'Not monitored': `https://t.me/${word}new`,
    'In the bin': `t.me/${word}bin`,
    Unsupported: 'https://example.com/x',
    Invalid: 'no address',
    Monitored: `t.me/${word}a`,
  })) {
    await chip(page, new RegExp(`^${group}`)).click()
    await expect(rows(page).first()).toContainText(address)
  }
  await expect(page).toHaveURL('/sources/find?outcome=monitored')
  await expect(rows(page)).toHaveCount(1)
  await rows(page).getByRole('link').click()
  await expect(page).toHaveURL(`/sources/${id}`)
  await page.goBack()
  await expect(field(page, 'Addresses')).toHaveValue(text)
  await expect(rows(page)).toHaveCount(1)
  await button(page, 'Clear').click()
  await expect(field(page, 'Addresses')).toHaveValue('')
  await expect(rows(page)).toHaveCount(0)
})

test('the missing addresses are added with a country, and then they are monitored', async ({ page, api }) => {
  const word = unique('missing')
  await addSources(api, { [`${word}a`]: '' })
  await openFind(page)
  await find(page, `t.me/${word}a\nt.me/${word}b\nfacebook.com/${word}c`)
  await expect(chip(page, 'Not monitored')).toContainText('2')
  await choose(page, 'Country (optional)', 'Poland')
  await button(page, 'Add the 2 missing sources').click()
  await expect(main(page)).toContainText('2 of 2 sources added.')
  await expect(main(page)).toContainText('Verified: 2 of 2 stored')
  await expect(chip(page, 'Not monitored')).toContainText('0')
  await expect(row(page, `facebook.com/${word}c`)).toContainText('Poland')
  await expect(row(page, `facebook.com/${word}c`)).toContainText('Monitored')
  await main(page).getByRole('link', { name: 'See the import' }).click()
  await expect(page).toHaveURL(/\/imports\/\d+$/)
  await page.goBack()
  await expect(rows(page)).toHaveCount(3)
})

test('a group is copied, and downloaded as CSV', async ({ page, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const word = unique('group')
  await addSources(api, { [`${word}a`]: 'UA' })
  await openFind(page)
  await find(page, `t.me/${word}a\nt.me/${word}b\n=1+1`)
  await chip(page, 'Not monitored').click()
  await button(page, 'Copy').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`t.me/${word}b`)
  await chip(page, 'All').click()
  const { name, content } = await downloaded(page, button(page, 'Download CSV'))
  expect(name).toBe('addresses-all.csv')
  expect(content.toString('utf8')).toBe(
    [
      '\uFEFFaddress,result,source_url,platform,source_country',
      `t.me/${word}a,Monitored,https://t.me/${word}a,TELEGRAM,UA`,
      `t.me/${word}b,Not monitored,https://t.me/${word}b,TELEGRAM,`,
      // Not a formula for a spreadsheet program.
      "'=1+1,Invalid,,,",
      '',
    ].join('\r\n'),
  )
})

test('addresses come from a text file or a column of a CSV file, chosen or dropped', async ({ page }) => {
  await openFind(page)
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
  await expect(main(page)).toContainText('2 addresses')
})

async function openFile(page: Page, name: string, text: string) {
  const choosing = page.waitForEvent('filechooser')
  await button(page, 'Open a file').click()
  await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
}

test('more than 10,000 addresses are not sent, and 10,000 are shown in pages', async ({ page }) => {
  await openFind(page)
  const word = unique('many')
  const lines = (length: number) => Array.from({ length }, (_, index) => `t.me/${word}_${index}`).join('\n')
  // From a file: typing that many lines takes a minute.
  await openFile(page, 'large.txt', lines(10_001))
  await expect(main(page)).toContainText('10,001 addresses')
  await button(page, 'Find').click()
  await expect(field(page, 'Addresses')).toHaveAccessibleDescription(
    /These are 10,001 addresses\. At most 10,000 can be looked up at once\./,
  )
  await expect(rows(page)).toHaveCount(0)
  await openFile(page, 'large.txt', lines(10_000))
  await expect(main(page)).toContainText('10,000 addresses')
  await button(page, 'Find').click()
  await expect(chip(page, 'Not monitored')).toContainText('10,000')
  await expect(rows(page)).toHaveCount(50)
  await page.getByRole('link', { name: 'Page 200' }).click()
  await expect(rows(page).last()).toContainText(`t.me/${word}_9999`)
})

test('nothing to find, and a failed search, are explained', async ({ page, faults }) => {
  faults.allow(/status of 503/)
  await openFind(page)
  await find(page, ' ,;\n')
  await expect(field(page, 'Addresses')).toHaveAccessibleDescription(/Enter at least one address\./)
  await expect(field(page, 'Addresses')).toBeFocused()
  await page.route('**/api/v1/sources/find', (route) =>
    route.fulfill({ status: 503, json: { detail: 'The server is busy. Try again in a moment.' } }),
  )
  await find(page, 't.me/example')
  await expect(page.getByRole('alert')).toContainText('The server is busy. Try again in a moment.')
  await page.unroute('**/api/v1/sources/find')
  await button(page, 'Find').click()
  await expect(rows(page)).toHaveCount(1)
})
