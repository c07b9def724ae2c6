import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@watchdesk/server/db/migrate'
import pg from 'pg'
import { startServer } from '../../scripts/start-server.mjs'
import { openDatabase } from './database.ts'
import { median, saveResults } from './results.ts'
import { spread } from './rounds.ts'
import { IS_SHORT, setting } from './settings.ts'
import { withSpread } from './targets.ts'

/**
 * The duration of a source import, compared with a plain COPY of the same rows into the same tables, in alternating
 * rounds. The COPY reads a file in its final format, checks nothing and writes no audit event.
 */
const ADMIN = { email: 'bench@watchdesk.local', password: 'bench and nothing else' }
const ROUNDS = setting('BENCH_ROUNDS', 7, 1)
const ROWS = IS_SHORT ? 1000 : 100_000

const database = await openDatabase('data')
const pool = new pg.Pool({ connectionString: database.databaseUrl })
await migrate(pool)
const watchdesk = await startServer({
  DATABASE_URL: database.databaseUrl,
  PORT: '0',
  LOG_LEVEL: 'warn',
  // Disables load shedding, so that a busy machine does not fail the benchmark.
  MAX_EVENT_LOOP_DELAY_MS: '0',
  BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
  BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
})
const { access_token } = await post<{ access_token: string }>('login', JSON.stringify(ADMIN), '')
const scratch = await mkdtemp(join(tmpdir(), 'watchdesk-bench-'))
await chmod(scratch, 0o755)

const times = { ours: [] as number[], copy: [] as number[], pings: [] as number[] }
for (let round = 0; round <= ROUNDS; round += 1) {
  await empty()
  const ours = await importThem(urlsOf(round))
  await empty()
  const copy = await copyThem(urlsOf(round))
  // The first round warms up.
  if (round === 0) continue
  times.ours.push(ours.ms)
  times.pings.push(ours.longestPing)
  times.copy.push(copy)
}
await empty()
const results = {
  'import of 100,000 sources': {
    ms: Math.round(median(times.ours)),
    'copy ms': Math.round(median(times.copy)),
    ratio: spread(times.ours.map((ms, round) => ms / (times.copy[round] ?? Number.NaN))),
  },
  'the longest wait of another request meanwhile': { ms: Math.round(median(times.pings)) },
}
const { ratio, ...milliseconds } = results['import of 100,000 sources']
console.table({ ...results, 'import of 100,000 sources': { ...milliseconds, ratio: withSpread(ratio) } })
await saveResults({ sources: results })

await rm(scratch, { recursive: true })
await watchdesk.stop()
await pool.end()
await database.stop()

function urlsOf(round: number) {
  return Array.from({ length: ROWS }, (_, n) => `https://t.me/channel_${(n * 7919) % ROWS}_${round}`)
}

async function empty() {
  const truncate = 'truncate sources, operation_changes, sheets, row_sets, set_rows, operations cascade'
  // The server, which keeps the lists fast, may read them in another order.
  while (!(await pool.query(truncate).catch(ifDeadlock)));
  await pool.query('checkpoint')
}

function ifDeadlock(error: { code?: string }) {
  if (error.code !== '40P01') throw error
}

async function importThem(urls: string[]) {
  const sheet_records = urls.map((source_url) => ({ source_url, source_country: 'Ukraine' }))
  const body = JSON.stringify({ email: ADMIN.email, sheet_url: null, sheet_records })
  const pings = pingUntilStopped()
  const start = performance.now()
  const result = await post<{ requested_count: number }>('source_import/sources', body, access_token)
  const ms = performance.now() - start
  const longestPing = await pings.stop()
  if (result.requested_count !== ROWS) throw new Error(`Only ${result.requested_count} sources were requested`)
  return { ms, longestPing }
}

/** The longest wait of a trivial request during the import. */
function pingUntilStopped() {
  let going = true
  const longest = (async () => {
    let worst = 0
    while (going) {
      const start = performance.now()
      await fetch(`${watchdesk.url}/health/live`)
      worst = Math.max(worst, performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return worst
  })()
  return {
    stop() {
      going = false
      return longest
    },
  }
}

async function copyThem(urls: string[]) {
  const sources = join(scratch, 'sources.tsv')
  const rows = join(scratch, 'rows.tsv')
  await writeFile(sources, urls.map((url) => `TELEGRAM\t${url}\tUA\t1\t1\t1\n`).join(''))
  const { rows: sets } = await pool.query<{ id: number }>(
    `insert into row_sets (header, row_count) values ('{row}', $1) returning id`,
    [ROWS],
  )
  const line = (url: string, n: number) =>
    `${sets[0]?.id}\t${n + 1}\t{${n + 2},"${url}",Ukraine,TELEGRAM,requested}\trequested\n`
  await writeFile(rows, urls.map(line).join(''))
  const client = await pool.connect()
  const start = performance.now()
  await client.query('begin')
  await client.query(`copy sources (platform, url, country, import_id, created_by, updated_by) from '${sources}'`)
  await client.query(`copy set_rows (set_id, number, cells, outcome) from '${rows}'`)
  await client.query('commit')
  const took = performance.now() - start
  client.release()
  return took
}

async function post<Body>(path: string, body: string, token: string) {
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const headers = { 'content-type': 'application/json', ...authorization }
  const response = await fetch(`${watchdesk.url}/api/v1/${path}`, { method: 'POST', headers, body })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Body
}
