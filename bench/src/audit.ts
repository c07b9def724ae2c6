import { cpus } from 'node:os'
import pg from 'pg'
import { load } from './load.ts'
import { openBench } from './open.ts'
import { saveResults } from './results.ts'
import { figures, measureInRounds, ratio, type Spread } from './rounds.ts'
import { setting } from './settings.ts'

/**
 * Pages of the audit log among ten million events, as ratios to reading one event by its primary key, in rounds that
 * alternate between them.
 */
const EVENTS = setting('BENCH_EVENTS', 10_000_000, 20_000)
const USERS = 10_000
const PAGE = 50
const BATCH = 1_000_000
const BY_KEY = 'one event by its primary key'

export type AuditFigures = {
  machine: string
  events: number
  works: Record<string, { ms: number; ratio?: Spread }>
}

const bench = await openBench('data-events', USERS)
const pool = new pg.Pool({ connectionString: bench.databaseUrl, max: 1 })
try {
  await seed()
  const watchdesk = await bench.start('Watchdesk')
  try {
    await measure(watchdesk)
  } finally {
    await watchdesk.stop()
  }
} finally {
  await pool.end()
  await bench.stop()
}

async function measure(watchdesk: Awaited<ReturnType<typeof bench.start>>) {
  const list = '/api/v1/audit/'
  const paths: Record<string, string> = {
    [BY_KEY]: `${list}${Math.floor(EVENTS / 2)}`,
    'page 1': list,
    'page 1,000': `${list}?before=${await cursorAt(999 * PAGE)}`,
    'page 100,000': `${list}?before=${await cursorAt(99_999 * PAGE)}`,
    'of one person': `${list}?actor_id=77`,
    'of one kind': `${list}?entity=dashboard`,
    'of one action': `${list}?action=restore`,
    'of one workspace': `${list}?workspace_id=7`,
    'of one record': `${list}?entity=user&entity_id=4711`,
    'of one day, a year ago': `${list}?from=2025-11-01&to=2025-11-02`,
    'of one person, kind and workspace': `${list}?actor_id=77&entity=user&workspace_id=7`,
    'search, a common name': `${list}?search=kovalenko`,
    'search, a rare email': `${list}?search=user4711%40`,
    'search, nothing found': `${list}?search=nobody%20has%20this`,
    'count of new events': `${list}new?after=${await cursorAt(20)}`,
  }
  const items = Object.entries(paths).map(([name, path]) => ({ name, work: { path } }))
  const runs = await measureInRounds(items, ({ work }, seconds) =>
    load(bench, [watchdesk], { work, connections: 1, seconds }),
  )
  const byName = new Map([...runs].map(([{ name }, rounds]) => [name, rounds]))
  const key = byName.get(BY_KEY)
  const works: AuditFigures['works'] = {}
  for (const [name, rounds] of byName) {
    const ms = Math.round(100_000 / figures(rounds).perSecond) / 100
    // How many times as long: the rates the other way round.
    works[name] = { ms, ...(key && name !== BY_KEY && { ratio: ratio(key, rounds, 'perSecond') }) }
  }
  console.table(Object.fromEntries(Object.entries(works).map(([name, { ms, ratio: of }]) => [name, { ms, ...of }])))
  const audit: AuditFigures = { machine: `${cpus().length} cores, ${cpus()[0]?.model}`, events: EVENTS, works }
  await saveResults({ audit })
}

/** The cursor after this many events. */
async function cursorAt(skipped: number) {
  const { rows } = await pool.query<{ cursor: string }>(
    `select (extract(epoch from at) * 1000000)::bigint || '-' || id as cursor from audit_events where parent_id is null
    order by at desc, id desc offset $1 limit 1`,
    [Math.min(skipped, EVENTS - 1000)],
  )
  return rows[0]?.cursor ?? '0-0'
}

/** Two years of events, by 2,000 persons in 60 workspaces. Indexes are built afterwards, which is much faster. */
async function seed() {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from audit_events')
  if ((rows[0]?.count ?? 0) >= EVENTS) return
  console.log(`Seeding ${EVENTS.toLocaleString('en')} events …`)
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'audit_events' and indexname <> 'audit_events_pkey'`,
  )
  await pool.query('begin')
  for (const { name } of indexes) await pool.query(`drop index ${name}`)
  for (let from = 1; from <= EVENTS; from += BATCH) {
    await pool.query(
      `insert into audit_events (at, actor_id, actor_name, action, entity, entity_id, record_name, record_detail,
        workspace_id, version, changes, ip)
      select timestamptz '2026-11-15T00:00:00Z' - ($2::int - n) * (interval '730 days' / $2::int),
        1 + n % 2000, (array['Olena','Vera','Taras','Iryna','Oleh'])[1 + n % 5] || ' ' || (n % 2000),
        (array['update','update','update','login','create','delete','restore','put_back'])[1 + (hashint4(n) & 7)],
        (array['user','user','user','session','workspace','website_config','dashboard','sources'])[1 + (hashint4(n + 7) & 7)],
        1 + (n::bigint * 7919 % 10000)::int, 'Olena Kovalenko ' || (n % 10000), 'user' || (n % 10000) || '@example.com',
        1 + n % 60, 1 + n % 30,
        '{"first_name": {"before": "Olena", "after": "Vera"}, "language": {"before": "EN", "after": "UK"}}', '203.0.113.7'
      from generate_series($1::int, $3::int) as n`,
      [from, EVENTS, Math.min(EVENTS, from + BATCH - 1)],
    )
  }
  await pool.query(`set local maintenance_work_mem = '1GB'`)
  for (const { name, definition } of indexes) {
    console.log(`Building ${name} …`)
    await pool.query(definition)
  }
  await pool.query('commit')
  await pool.query('vacuum analyze audit_events')
}
