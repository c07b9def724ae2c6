import { deepEqual } from 'node:assert/strict'
import { cpus } from 'node:os'
import { compactLists } from '@watchdesk/server/db/list-totals'
import { connect } from '@watchdesk/server/db/open'
import type { Contender } from './contender.ts'
import { load } from './load.ts'
import { openBench } from './open.ts'
import { saveResults } from './results.ts'
import { figures, measureInRounds, ratio, type Spread } from './rounds.ts'
import { setting } from './settings.ts'

/**
 * The list of a million sources: page 1, the middle and the end compared with the baseline, and every filter with page 1,
 * in rounds that alternate between all of them.
 */
const SOURCES = setting('BENCH_SOURCES', 1_000_000, 10_000)
const USERS = 10_000
const PAGE = 20
const LIST = '/api/v1/sources/'
const FIRST = 'page 1'

/** Also answered by the baseline. */
const COMPARED: Record<string, string> = {
  [FIRST]: LIST,
  'middle page': `${LIST}?page=${Math.round(SOURCES / PAGE / 2)}`,
  'last page': `${LIST}?page=${Math.ceil(SOURCES / PAGE)}`,
  'search, part of an address': `${LIST}?search=news_7777`,
}
const OTHERS: Record<string, string> = {
  'by address, middle page': `${LIST}?sort=url&page=${Math.round(SOURCES / PAGE / 2)}`,
  'by country, middle page': `${LIST}?sort=country&page=${Math.round(SOURCES / PAGE / 2)}`,
  'of one platform': `${LIST}?platform=TELEGRAM`,
  'of one country': `${LIST}?country=UA`,
  'of one platform and country': `${LIST}?platform=TELEGRAM&country=UA`,
  'of one import': `${LIST}?import_id=7`,
  'of one day': `${LIST}?added_from=2026-10-01&added_to=2026-10-01`,
  'search, a common word': `${LIST}?search=news`,
  'search, without a match': `${LIST}?search=nobody_has_this`,
}

export type SourceListFigures = {
  machine: string
  sources: number
  /** Milliseconds, how many times page 1 that is, and requests per second divided by those of the baseline. */
  works: Record<string, { ms: number; ofFirst?: Spread; ofBaseline?: Spread }>
}

const bench = await openBench('data-sources', USERS)
const { db, pool, close } = connect(
  { connectionString: bench.databaseUrl },
  { DATABASE_POOL_SIZE: 1, STATEMENT_TIMEOUT_MS: 0 },
)
try {
  await seed()
  const watchdesk = await bench.start('Watchdesk')
  const baseline = await bench.start('Baseline')
  try {
    for (const path of Object.values(COMPARED)) deepEqual(await read(watchdesk, path), await read(baseline, path), path)
    await measure(watchdesk, baseline)
  } finally {
    await watchdesk.stop()
    await baseline.stop()
  }
} finally {
  await close()
  await bench.stop()
}

async function read({ url, headers }: Contender, path: string) {
  const response = await fetch(`${url}${path}`, { headers })
  return { status: response.status, body: await response.json() }
}

async function measure(watchdesk: Contender, baseline: Contender) {
  const ours = Object.entries({ ...COMPARED, ...OTHERS })
  const items = [
    ...ours.map(([name, path]) => ({ name, work: { path }, contender: watchdesk })),
    ...Object.entries(COMPARED).map(([name, path]) => ({ name, work: { path }, contender: baseline })),
  ]
  const runs = await measureInRounds(items, ({ work, contender }, seconds) =>
    load(bench, [contender], { work, connections: 1, seconds }),
  )
  const of = (name: string, contender: Contender) =>
    [...runs].find(([item]) => item.name === name && item.contender === contender)?.[1]
  const first = of(FIRST, watchdesk)
  const works: SourceListFigures['works'] = {}
  for (const [name] of ours) {
    const [rounds, floor] = [of(name, watchdesk), of(name, baseline)]
    if (!rounds) continue
    works[name] = {
      ms: Math.round(100_000 / figures(rounds).perSecond) / 100,
      // How many times as long: the rates the other way round.
      ...(first && name !== FIRST && { ofFirst: ratio(first, rounds, 'perSecond') }),
      ...(floor && { ofBaseline: ratio(rounds, floor, 'perSecond') }),
    }
  }
  console.table(
    Object.fromEntries(
      Object.entries(works).map(([name, { ms, ofFirst, ofBaseline }]) => [
        name,
        { ms, 'times page 1': ofFirst?.median, 'of the baseline': ofBaseline?.median },
      ]),
    ),
  )
  const sourceList: SourceListFigures = {
    machine: `${cpus().length} cores, ${cpus()[0]?.model}`,
    sources: SOURCES,
    works,
  }
  await saveResults({ sourceList })
}

/** Fifty imports over two months, of nine platforms and ten countries. */
async function seed() {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from sources')
  if ((rows[0]?.count ?? 0) >= SOURCES) return
  console.log(`Seeding ${SOURCES.toLocaleString('en')} sources …`)
  await pool.query(`insert into operations (kind, state, name, created_by)
    select 'source_import', 'done', 'sources-' || n || '.csv', 1 from generate_series(1, 50) n`)
  await pool.query(
    `insert into sources (platform, url, country, created_at, created_by, updated_by, import_id)
    select platform, 'https://' || (array['t.me', 'facebook.com', 'twitter.com', 'youtube.com', 'vk.com'])[1 + n % 5] || '/'
        || (array['news', 'kyiv', 'live', 'media', 'channel', 'olena', 'daily'])[1 + n % 7] || '_' || n,
      (array['UA', 'PL', 'DE', 'US', 'FR', null, null, 'GB', 'IT', 'ES'])[1 + n / 7 % 10],
      timestamptz '2026-11-15T00:00:00Z' - ($1::int - n) * (interval '60 days' / $1::int), 1, 1, 1 + (n - 1) * 50 / $1::int
    from generate_series(1, $1::int) n,
      lateral (select (array['TELEGRAM', 'FACEBOOK', 'TWITTER', 'YOUTUBE', 'VK'])[1 + n % 5] as platform) as of_host`,
    [SOURCES],
  )
  await compactLists(db)
  await pool.query('vacuum analyze')
}
