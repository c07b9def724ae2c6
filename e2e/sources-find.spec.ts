import { addSources, resultChip as chip, idOf } from './monitored-page.ts'
import { expect } from './test.ts'
import { button, choose, field, heading, row, rows, test, unique } from './workspaces-page.ts'

test('pasted addresses are sorted into groups, with links to the sources, and the missing ones are added with a country', async ({
  page,
  api,
}) => {
  const word = unique('found')
  await addSources(api, { [`${word}a`]: 'UA', [`${word}bin`]: '' })
  const id = await idOf(api, `t.me/${word}a`)
  await api('DELETE', `sources/${await idOf(api, `t.me/${word}bin`)}`)
  await page.goto('/sources')
  await page.getByRole('main').getByRole('link', { name: 'Find addresses' }).click()
  await expect(heading(page)).toHaveText('Find addresses')
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

  await chip(page, /^In the bin/).click()
  await expect(rows(page)).toHaveText([new RegExp(`t.me/${word}bin`)])
  await chip(page, /^Monitored/).click()
  await expect(page).toHaveURL('/sources/find?outcome=monitored')
  await expect(rows(page)).toHaveCount(1)
  await rows(page).getByRole('link').click()
  await expect(page).toHaveURL(`/sources/${id}`)
  await page.goBack()
  await expect(field(page, 'Addresses')).toHaveValue(text)
  await expect(rows(page)).toHaveCount(1)
  await chip(page, /^All/).click()
  await choose(page, 'Country (optional)', 'Poland')
  await button(page, 'Add the 1 missing source').click()
  await expect(page.getByRole('main')).toContainText('1 of 1 source added.')
  await expect(page.getByRole('main')).toContainText('Verified: 1 of 1 stored')
  await expect(row(page, `https://t.me/${word}new`)).toContainText('Poland')
  await expect(row(page, `https://t.me/${word}new`)).toContainText('Monitored')
  await expect(page.getByRole('main').getByRole('link', { name: 'See the import' })).toHaveAttribute(
    'href',
    /\/imports\/\d+$/,
  )
  await button(page, 'Clear').click()
  await expect(field(page, 'Addresses')).toHaveValue('')
  await expect(rows(page)).toHaveCount(0)
})
