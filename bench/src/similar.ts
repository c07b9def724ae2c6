import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { migrate } from '@watchdesk/server/db/migrate'
import pg from 'pg'
import { startServer } from '../../scripts/start-server.mjs'
import { startDatabase } from './database.ts'
import { processorSeconds, residentBytes } from './process-usage.ts'
import { median, rounded, saveResults } from './results.ts'
import { setting } from './settings.ts'

/**
 * Similar stories in one large narrative: CPU time of PostgreSQL and of the server per call, and the duration of four
 * concurrent calls. Also measures pgvector if BENCH_DATABASE_URL is a local database that supports it, which is seeded
 * once.
 */
const ADMIN = { email: 'bench@watchdesk.local', password: 'bench and nothing else' }
const ROUNDS = setting('BENCH_ROUNDS', 3, 1)
const VECTORS = setting('BENCH_VECTORS', 400_000, 200)
/** Stories with vectors from the built-in model; the others are copies. */
const EMBEDDED = Math.min(20_000, VECTORS)
const [PACKED, ARRAYS] = [1, 2]
const WORDS =
  'мова новини держава канал повідомлення report claims energy border market sanction rumour video post'.split(' ')

const { DATABASE_URL, stopDatabase } = await openDatabase()
const pool = new pg.Pool({ connectionString: DATABASE_URL })
await migrate(pool)
const canHavePgvector = (await pool.query(`select from pg_available_extensions where name = 'vector'`)).rowCount === 1
const watchdesk = await startServer({
  DATABASE_URL,
  PORT: '0',
  LOG_LEVEL: 'error',
  BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
  BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
})
await pool.query('drop extension if exists vector')
let token = ''
token = ((await call('POST', '/api/v1/login', ADMIN)) as { access_token: string }).access_token
if ((await pool.query('select from narratives')).rowCount === 0) await seed()

const forms = {
  'without pgvector': { narrative: PACKED, extension: false },
  'without pgvector, vectors of an earlier release': { narrative: ARRAYS, extension: false },
  ...(canHavePgvector && { 'with pgvector': { narrative: ARRAYS, extension: true } }),
}
type Measured = Record<'seconds' | 'server' | 'postgres' | 'four' | 'completed' | 'megabytes', number>
const measured = new Map<string, Measured[]>(Object.keys(forms).map((form) => [form, []]))
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [form, { narrative, extension }] of Object.entries(forms)) {
    await pool.query(extension ? 'create extension if not exists vector' : 'drop extension if exists vector')
    measured.get(form)?.push(await measure(narrative))
  }
}
const of = (list: Measured[], figure: keyof Measured) => rounded(median(list.map((one) => one[figure])))
const results = Object.fromEntries(
  [...measured].map(([form, list]) => [
    form,
    {
      'one call, s': of(list, 'seconds'),
      'processor time of PostgreSQL, s': of(list, 'postgres'),
      'of the server, s': of(list, 'server'),
      'four calls at once, s': of(list, 'four'),
      'completed of these': Math.min(...list.map(({ completed }) => completed)),
      'memory of the server, MB more': of(list, 'megabytes'),
    },
  ]),
)
console.table(results)
await saveResults({ [`similar stories among ${VECTORS.toLocaleString('en')}`]: results })
await watchdesk.stop()
await pool.end()
await stopDatabase()

async function openDatabase() {
  const given = process.env.BENCH_DATABASE_URL
  if (given) return { DATABASE_URL: given, stopDatabase: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'watchdesk-bench-'))
  const { databaseUrl, stop } = await startDatabase(folder)
  return {
    DATABASE_URL: databaseUrl,
    async stopDatabase() {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${watchdesk.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const result: unknown = await response.json()
  if (!response.ok) throw new Error(`${response.status}: ${JSON.stringify(result).slice(0, 500)}`)
  return result
}

function text(row: number) {
  const words = Array.from({ length: 12 }, (_, index) => WORDS[(row * 31 + index * 7 + (row >> index)) % WORDS.length])
  return `${words.join(' ')}, ${row}`
}

async function seed() {
  const texts = Array.from({ length: EMBEDDED }, (_, row) => text(row))
  await pool.query('insert into narratives (id) values ($1), ($2)', [PACKED, ARRAYS])
  const insert = `insert into stories (narrative_id, message_composite_id, story, digest)
    select $1::int, 'POST:' || copy, story, gen_random_uuid() from unnest($2::text[]) as story, generate_series($3::int, $4) as copy`
  await pool.query(insert, [PACKED, texts, 1, 1])
  await call('POST', '/api/v1/airflow/vectorize-narrative', { narrative_id: PACKED, platforms: [], content_types: [] })
  while ((await pool.query(`select from vectorization_runs where status <> 'success'`)).rowCount) await wait(500)
  const copies = Math.ceil(VECTORS / EMBEDDED)
  await pool.query(insert, [PACKED, texts, 2, copies])
  await pool.query(insert, [ARRAYS, texts, 1, copies])
  await pool.query(
    `insert into story_vectors (story_id, model, vector, packed)
      select copies.id, model, vector, case when copies.narrative_id = $1 then packed end
      from story_vectors join stories on stories.id = story_id join stories as copies on copies.story = stories.story
      where copies.id <> stories.id order by copies.id`,
    [PACKED],
  )
  await pool.query('vacuum analyze')
}

async function measure(narrative: number): Promise<Measured> {
  const memory = await residentBytes(watchdesk)
  const before = { server: await processorSeconds(watchdesk), postgres: await postgresSeconds() }
  const seconds = await timed(() => similar(narrative, 'новини про енергетику'))
  const server = (await processorSeconds(watchdesk)) - before.server
  const postgres = added(before.postgres, await postgresSeconds())
  let completed = 0
  const four = await timed(() =>
    Promise.all(
      ['новини', 'sanction rumour', 'влада', 'market'].map(async (words) => {
        if (await similar(narrative, words)) completed += 1
      }),
    ),
  )
  return { seconds, server, postgres, four, completed, megabytes: ((await residentBytes(watchdesk)) - memory) / 1e6 }
}

/** Whether the call succeeded; an overloaded machine returns 503. */
async function similar(narrative: number, words: string) {
  const path = `/api/v1/narratives/${narrative}/similar?text=${encodeURIComponent(words)}`
  const response = (await call('GET', path).catch(() => undefined)) as { vectorized_count: number } | undefined
  if (response && response.vectorized_count < VECTORS) throw new Error('Some vectors were not compared')
  return response !== undefined
}

async function timed(work: () => Promise<unknown>) {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Without processes that have ended in the meantime, whose usage is no longer known. */
function added(before: Map<number, number>, after: Map<number, number>) {
  let seconds = 0
  for (const [pid, time] of after) if (!Number.isNaN(time)) seconds += time - (before.get(pid) ?? 0)
  return seconds
}

/** Backend processes that serve connections. */
async function postgresSeconds() {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend'`,
  )
  return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await processorSeconds({ pid })] as const)))
}
