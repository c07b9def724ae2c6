import type { Page } from '@watchdesk/contract/page'
import type { MonitoredSource } from '@watchdesk/contract/sources'
import { expect, test } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { compactLists } from '../../db/list-totals.ts'

const watchdesk = useWatchdesk()

test('more sources of some days than are sorted in memory are listed in every order, from both ends', async () => {
  await watchdesk.database.pool.query(`insert into sources (platform, url, created_at)
    select 'TELEGRAM', 'https://t.me/many' || (100000 + n), timestamptz '2026-10-01T00:00:00Z' + (n % 5) * interval '1 day'
    from generate_series(1, 16000) n`)
  const list = async (query: string) => {
    const url = `/api/v1/sources/?added_from=2026-10-01&added_to=2026-10-04&page_size=2&${query}`
    const { body } = await watchdesk.admin<Page<MonitoredSource>>('GET', url)
    return [body.total, ...body.objects.map(({ url }) => Number(url.slice(-5)))]
  }
  expect(await list('')).toEqual([12_800, 16_000, 15_998])
  expect(await list('page=6400')).toEqual([12_800, 2, 1])
  expect(await list('sort=url&page=2')).toEqual([12_800, 3, 5])
  expect(await list('sort=-url&page=6400')).toEqual([12_800, 2, 1])
})

/** Pages near both ends and in the middle, in the orders that the list has. */
const SORTS = { '': 'id desc', id: 'id', '-url': 'url desc, id desc', country: `coalesce(country::text, 'ZZ'), id` }
const PAGES = [1, 2, 700, 1399, 1400]

/** The same pages from the API, and from a query that sorts and counts all rows. */
async function comparePages() {
  const { pool } = watchdesk.database
  for (const [sort, order] of Object.entries(SORTS)) {
    const all = await pool.query<{ id: number }>(`select id from sources where deleted_at is null order by ${order}`)
    for (const page of PAGES) {
      const url = `/api/v1/sources/?page_size=10&page=${page}${sort && `&sort=${sort}`}`
      const { status, body } = await watchdesk.admin<Page<MonitoredSource>>('GET', url)
      expect({ url, status, total: body.total, ids: body.objects.map(({ id }) => id) }).toEqual({
        url,
        status: 200,
        total: all.rowCount,
        ids: all.rows.slice((page - 1) * 10, page * 10).map(({ id }) => id),
      })
    }
  }
}

test('right after very many sources were added, changed, put back and removed, every page and total is right', async () => {
  const { db, pool } = watchdesk.database
  await pool.query('truncate sources')
  const logged = async () => (await pool.query(`select from list_changes where list = 'sources'`)).rowCount
  const add = (prefix: string, count: number) =>
    pool.query(
      `insert into sources (platform, url, country) select 'WEB', 'https://example.com/' || $1 || n,
        (array['UA', 'PL', null])[1 + n % 3] from generate_series(1, $2::int) n`,
      [prefix, count],
    )
  await add('first', 200)
  await add('many', 13_800)
  await comparePages()
  await compactLists(db)
  await comparePages()

  const change = { action: 'set_country', country: 'US', filter: { search: 'many' }, expected_count: 13_800 }
  const { body } = await watchdesk.admin('POST', '/api/v1/sources/change', change)
  await comparePages()
  await watchdesk.admin('POST', `/api/v1/imports/${body.import_id}/undo`, { changed: 'leave' })
  expect(await logged()).toBe(0)
  await comparePages()

  await watchdesk.admin('POST', '/api/v1/sources/change', {
    action: 'remove',
    filter: { search: 'many' },
    expected_count: 13_800,
  })
  // Each page reads what was logged, so it must not be a row for each of them.
  expect(await logged()).toBe(1)
  await add('last', 30)
  await comparePages()
  await compactLists(db)
  await comparePages()
})
