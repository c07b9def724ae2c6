import type { Page } from '@watchdesk/contract/page'
import type { MonitoredSource } from '@watchdesk/contract/sources'
import { beforeAll, expect, test } from 'vitest'
import { insertSource } from '../../../test/helpers/sources.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { textsOf } from './filter.ts'

const watchdesk = useWatchdesk()

async function list(query: string) {
  const { status, body } = await watchdesk.admin<Page<MonitoredSource>>('GET', `/api/v1/sources/?${query}`)
  return { status, total: body.total, urls: body.objects?.map(({ url }) => url.replace('https://', '')) }
}

let import_id = 0

beforeAll(async () => {
  const { rows } = await watchdesk.database.pool.query(
    `insert into operations (kind, state) values ('source_import', 'done') returning id`,
  )
  import_id = rows[0].id
  const at = (day: string) => `2026-10-${day}Z`
  await insertSource(watchdesk, { url: 'https://t.me/alpha_News', country: 'UA', created_at: at('01T00:00:00') })
  await insertSource(watchdesk, { url: 'https://t.me/beta', created_at: at('01T23:59:59.999999'), import_id })
  await insertSource(watchdesk, {
    platform: 'TWITTER',
    url: 'https://twitter.com/alpha',
    country: 'PL',
    created_at: at('02T00:00:00'),
    import_id,
  })
  await insertSource(watchdesk, {
    platform: 'WEB',
    url: 'https://xn--e1afmkfd.example/%D0%BF%D1%80',
    created_at: at('03T12:00:00'),
  })
  await insertSource(watchdesk, { url: 'https://t.me/removed', deleted_at: at('04T00:00:00') })
})

const ALL = ['xn--e1afmkfd.example/%D0%BF%D1%80', 'twitter.com/alpha', 't.me/beta', 't.me/alpha_News']

test.each<[query: string, urls: string[]]>([
  ['', ALL],
  ['sort=id', ALL.toReversed()],
  ['sort=url', ['t.me/alpha_News', 't.me/beta', 'twitter.com/alpha', ALL[0] ?? '']],
  ['sort=-platform', [ALL[0] ?? '', 'twitter.com/alpha', 't.me/beta', 't.me/alpha_News']],
  ['sort=country', ['twitter.com/alpha', 't.me/alpha_News', 't.me/beta', ALL[0] ?? '']],
  ['platform=TELEGRAM', ['t.me/beta', 't.me/alpha_News']],
  ['country=UA', ['t.me/alpha_News']],
  ['country=none', [ALL[0] ?? '', 't.me/beta']],
  ['country=ZZ', []],
  ['added_from=2026-10-02', [ALL[0] ?? '', 'twitter.com/alpha']],
  ['added_to=2026-10-01', ['t.me/beta', 't.me/alpha_News']],
  ['added_from=2026-10-02&added_to=2026-10-02', ['twitter.com/alpha']],
  ['search=ALPHA', ['twitter.com/alpha', 't.me/alpha_News']],
  ['search=alpha&platform=TWITTER', ['twitter.com/alpha']],
  ['search=%25', [ALL[0] ?? '']],
  ['search=removed', []],
])('the list with %j', async (query, urls) => {
  expect(await list(query)).toEqual({ status: 200, total: urls.length, urls })
})

test('the sources that an import added', async () => {
  expect((await list(`import_id=${import_id}`)).urls).toEqual(['twitter.com/alpha', 't.me/beta'])
  expect((await list(`import_id=${import_id}&country=none`)).urls).toEqual(['t.me/beta'])
})

test.each<[pasted: string, found: string]>([
  ['https://t.me/beta', 't.me/beta'],
  ['http://www.T.me/beta/?start=1#top', 't.me/beta'],
  ['telegram.me/beta', 't.me/beta'],
  ['@beta', 't.me/beta'],
  ['https://x.com/alpha?s=20', 'twitter.com/alpha'],
  ['m.twitter.com/alpha', 'twitter.com/alpha'],
  ['https://пример.example/пр', ALL[0] ?? ''],
  ['пр', ALL[0] ?? ''],
  ['%D0%BF', ALL[0] ?? ''],
])('a pasted %j finds the source', async (pasted, found) => {
  expect((await list(`search=${encodeURIComponent(pasted)}`)).urls).toContain(found)
})

test('only what an address can contain is searched', () => {
  expect(textsOf('alpha')).toEqual(['alpha'])
  expect(textsOf(' https://www.example.com/ ')).toEqual(['example.com'])
  expect(textsOf('m.com')).toEqual(['m.com'])
  expect(textsOf('https://')).toEqual([])
})

test.each(['added_from=2026-02-30', 'added_to=yesterday', 'country=Ukraine', 'platform=MASTODON', 'import_id=x'])(
  '%s is refused',
  async (query) => {
    expect((await list(query)).status).toBe(422)
  },
)
