import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { addSources, resultChip as chip, find, idOf } from './monitored-page.ts'
import { expect } from './test.ts'
import { button, choose, field, heading, row, rows, test, unique } from './workspaces-page.ts'

async function openFind(page: Page) {
  await page.goto('/sources')
  await page.getByRole('main').getByRole('link', { name: 'Find addresses' }).click()
  await expect(heading(page)).toHaveText('Find addresses')
}

test('pasted addresses are sorted into groups, with links to the sources', async ({ page, api }) => {
  const word = unique('found')
  await addSources(api, { [`${word}a`]: 'UA', [`${word}bin`]: '' })
  const id = await idOf(api, `t.me/${word}a`)
  await api('DELETE', `sources/${await idOf(api, `t.me/${word}bin`)}`)
  await openFind(page)
  const text = `t.me/${word}a, https://t.me/${word}new;t.me/${word}bin\twww.t.me/${word}a/\nhttps://example.com/x\nno address\nvk.com/${word}`
  await field(page, 'Addresses').fill(text)
  await expect(page.getByRole('main')).toContainText('7 addresses')
  await button(page, 'Find').click()
  const summary = '7 addresses: 1 monitored, 2 not monitored, 1 in the bin, 1 repeated, 1 unsupported, 1 invalid'
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: summary })).toHaveCount(1)
  await expect(rows(page)).toHaveCount(7)
  await expect(row(page, `www.t.me/${word}a/`)).toContainText('Repeated')
  await expect(row(page, 'no address')).toContainText(
    'This is not the address of a source. Write it like https://t.me/name.',
  )
  await expect(row(page, 'https://example.com/x')).toContainText('Sources of this platform cannot be imported here.')
  await expect(page.getByRole('main')).toContainText('1 address on VK cannot be added here.')
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
  await expect(page.getByRole('main')).toContainText('2 of 2 sources added.')
  await expect(page.getByRole('main')).toContainText('Verified: 2 of 2 stored')
  await expect(chip(page, 'Not monitored')).toContainText('0')
  await expect(row(page, `facebook.com/${word}c`)).toContainText('Poland')
  await expect(row(page, `facebook.com/${word}c`)).toContainText('Monitored')
  await page.getByRole('main').getByRole('link', { name: 'See the import' }).click()
  await expect(page).toHaveURL(/\/imports\/\d+$/)
  await page.goBack()
  await expect(rows(page)).toHaveCount(3)
})
