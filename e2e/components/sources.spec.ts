import { deleteSource, getSource, listSources, type MonitoredSource, restoreSource } from '@watchdesk/contract/sources'
import { hold } from '../hold.ts'
import { addresses, chips, count, filters } from '../monitored-page.ts'
import { button, heading, row, toast } from '../workspaces-page.ts'
import type { Backend, Call } from './backend.ts'
import { aSource } from './records.ts'
import { expect, test } from './test.ts'

const BREAD = aSource({ id: 1, url: 'https://t.me/bread', country: 'UA' })
const SOURCES = [
  BREAD,
  aSource({ id: 2, url: 'https://facebook.com/bread', platform: 'FACEBOOK' }),
  aSource({ id: 3, url: 'https://t.me/salt', import: { id: 4, kind: 'source_import', name: null } }),
]

/** Answers the list, with the filters that these tests use. */
function answerSources(backend: Backend, rows: MonitoredSource[]) {
  backend.answer(listSources, ({ query }: Call) => {
    const objects = rows.filter(
      ({ url, country, import: added, created_at }) =>
        url.includes(query.search ?? '') &&
        [country, undefined].includes(query.country) &&
        [String(added?.id), undefined].includes(query.import_id) &&
        created_at >= (query.added_from ?? '') &&
        created_at <= (query.added_to ?? '9'),
    )
    return { objects, total: objects.length, size: 20 }
  })
}

test.beforeEach(({ backend }) => answerSources(backend, SOURCES))

test('a source is listed with its platform, address, country, import and who added it', async ({ page, open }) => {
  await open('/users')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sources', exact: true }).click()
  await expect(page).toHaveURL('/sources')
  await expect(count(page)).toHaveText('3 sources')
  await page.getByRole('searchbox').fill('bread')
  await expect(page).toHaveURL('/sources?search=bread')
  await expect(count(page)).toHaveText('2 sources found')
  const source = row(page, 't.me/bread')
  for (const text of ['TELEGRAM', 'Ukraine', 'Olena Kovalenko']) await expect(source).toContainText(text)
  const link = source.getByRole('link', { name: 't.me/bread', exact: true })
  await expect(link).toHaveAttribute('href', 'https://t.me/bread')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await expect(source.getByTitle('UA')).toHaveText('Ukraine')
  await expect(source.getByRole('link', { name: /import/i })).toHaveAttribute('href', '/imports/3')
  await expect(row(page, 'facebook.com/bread')).toContainText('–')
  const height = (await source.boundingBox())?.height ?? 0
  expect(Math.round(height)).toBe(44)
})

test('what is typed while the countries load is not lost', async ({ page }) => {
  await page.goto('/sources')
  await button(page, 'Add filter').click()
  const release = await hold(page, '**/assets/*.js')
  await filters(page).getByRole('button', { name: 'Country', exact: true }).click()
  await page.keyboard.type('germ')
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue('germ')
  await expect(page.getByText('Loading…')).toBeVisible()
  await page.keyboard.press('Enter')
  release()
  await expect(page).toHaveURL(/country=DE/)
})

test('sources are filtered by the import that a link names, and by the days on which they were added', async ({
  page,
  open,
}) => {
  await open('/sources?import_id=3')
  await expect(chips(page)).toHaveText([/^Import: /])
  await expect(addresses(page)).toHaveText(['t.me/bread', 'facebook.com/bread'])
  await button(page, 'Clear').click()
  await expect(addresses(page)).toHaveCount(3)

  await filters(page).getByRole('button', { name: 'Add filter' }).click()
  await filters(page).getByRole('button', { name: 'Added', exact: true }).click()
  await page.getByLabel('Added from').fill('2026-11-15')
  await expect(page).toHaveURL(/added_from=2026-11-15/)
  await expect(chips(page)).toHaveText([/^Added: from /])
  await expect(addresses(page)).toHaveCount(3)
  await page.getByLabel('Added from').fill('')
  await page.getByLabel('Added until').fill('2020-01-31')
  await expect(chips(page)).toHaveText(['Added: until Jan 31, 2020'])
  await expect(page.getByRole('main')).toContainText('No sources match.')
  await page.keyboard.press('Escape')
  await button(page, 'Show all sources').click()
  await expect(page).toHaveURL('/sources')
  await expect(addresses(page)).toHaveCount(3)
})

test('one source is removed from the list, which can be undone', async ({ page, backend, open }) => {
  const rows = [BREAD]
  answerSources(backend, rows)
  backend.answer(deleteSource, () => void rows.pop())
  backend.answer(restoreSource, () => {
    rows.push(BREAD)
    return BREAD
  })
  await open('/sources?search=bread')
  await button(page, 'Remove https://t.me/bread').click()
  await expect(page.getByRole('dialog')).toContainText('You can undo this for 30 days, in the Bin.')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page)).toContainText('Source removed.')
  await expect(page.getByRole('main')).toContainText('No sources match.')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(addresses(page)).toHaveText(['t.me/bread'])
  expect(backend.calls(deleteSource).map(({ params, headers }) => [params.id, headers['if-match']])).toEqual([
    ['1', '"1"'],
  ])
})

test('on a phone, sources are cards, and the filters are in a sheet', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open('/sources')
  const cards = page.getByRole('list', { name: 'Sources' }).getByRole('listitem')
  await expect(cards).toHaveCount(3)
  await button(page, 'Filters').click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('combobox', { name: 'Country' }).fill('Ukr')
  await page.getByRole('option', { name: 'Ukraine', exact: true }).click()
  await sheet.getByRole('button', { name: 'Show sources' }).click()
  await expect(cards).toHaveCount(1)
  await expect(cards).toContainText('Ukraine')
  await expect(chips(page)).toHaveText(['Country: Ukraine'])
  await expect(button(page, 'Filters (1)')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('by keyboard: search, filter, open a source and return', async ({ page, backend, open }) => {
  backend.answer(getSource, { ...BREAD, deleted_at: null })
  await open('/sources')
  await expect(heading(page)).toHaveText('Sources')
  await page.keyboard.press('/')
  await page.keyboard.type('bread')
  await expect(count(page)).toHaveText('2 sources found')
  await page.keyboard.press('Tab')
  await expect(button(page, 'Add filter')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(filters(page).getByRole('button', { name: 'Platform', exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(filters(page).getByRole('combobox', { name: 'Country' })).toBeFocused()
  await page.keyboard.type('ukr')
  await page.keyboard.press('Enter')
  await expect(addresses(page)).toHaveText(['t.me/bread'])
  await expect(button(page, 'Add filter')).toBeFocused()
  await page.getByRole('link', { name: 'Details of https://t.me/bread', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('https://t.me/bread')
  await page.getByRole('main').getByRole('link', { name: 'Sources' }).click()
  await expect(page).toHaveURL(/search=bread/)
  await expect(chips(page)).toHaveText(['Country: Ukraine'])
})
