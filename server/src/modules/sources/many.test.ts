import type { Page } from '@watchdesk/contract/page'
import type { MonitoredSource } from '@watchdesk/contract/sources'
import { expect, test } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

test('more sources of some days than are sorted at once are listed in every order, from both ends', async () => {
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
