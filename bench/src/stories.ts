import { createHash } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { migrate } from '@watchdesk/server/db/migrate'
import pg from 'pg'
import { startServer } from '../../scripts/start-server.mjs'
import { openDatabase } from './database.ts'
import { residentBytes } from './process-usage.ts'
import { median, rounded, saveResults } from './results.ts'
import { IS_SHORT, setting } from './settings.ts'

/**
 * The duration of a stories import, compared with a plain COPY of the same rows into the same table, in alternating
 * rounds.
 */
const ADMIN = { email: 'bench@watchdesk.local', password: 'bench and nothing else' }
const ROUNDS = setting('BENCH_ROUNDS', 3, 1)
const ROWS = setting('BENCH_STORIES', 1_000_000, 1000)
const NARRATIVES = 50
const IDLE_MS = IS_SHORT ? 200 : 5000
const WORDS =
  'мова новини держава канал повідомлення report claims energy border market sanction rumour video post'.split(' ')

const database = await openDatabase('data')
const pool = new pg.Pool({ connectionString: database.databaseUrl })
await migrate(pool)
const watchdesk = await startServer({
  DATABASE_URL: database.databaseUrl,
  PORT: '0',
  LOG_LEVEL: 'warn',
  BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
  BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
})
const login = await fetch(`${watchdesk.url}/api/v1/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(ADMIN),
})
const { access_token } = (await login.json()) as { access_token: string }
const headers = { authorization: `Bearer ${access_token}` }

const scratch = await mkdtemp(join(tmpdir(), 'watchdesk-bench-'))
await chmod(scratch, 0o755)
const [csv, tsv] = [join(scratch, 'stories.csv'), join(scratch, 'stories.tsv')]
await pipeline(Readable.from(csvLines()), createWriteStream(csv))
await pipeline(Readable.from(tsvLines()), createWriteStream(tsv))

const times = { ours: [] as number[], copy: [] as number[], idle: [] as number[], busy: [] as number[] }
const memory: number[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  await empty()
  times.idle.push(...(await others(wait(IDLE_MS))))
  const before = await residentBytes(watchdesk)
  let most = before
  const start = performance.now()
  const imported = importThem()
  const sampled = others(imported, async () => {
    most = Math.max(most, await residentBytes(watchdesk))
  })
  await imported
  times.ours.push(performance.now() - start)
  times.busy.push(...(await sampled))
  memory.push(most - before)
  await empty()
  times.copy.push(await copyThem())
}
await empty()
const [ours, copy] = [median(times.ours), median(times.copy)]
const [idle, busy] = [p99(times.idle), p99(times.busy)]
const results = {
  [`import of ${ROWS.toLocaleString('en')} stories`]: {
    ms: Math.round(ours),
    'against ms': Math.round(copy),
    ratio: rounded(ours / copy),
  },
  "the server's memory meanwhile, MB more": { ms: Math.round(Math.max(...memory) / 1e6) },
  'p99 of other requests meanwhile': { ms: rounded(busy), 'against ms': rounded(idle), ratio: rounded(busy / idle) },
}
console.table(results)
await saveResults({ stories: results })

await rm(scratch, { recursive: true })
await watchdesk.stop()
await pool.end()
await database.stop()

function story(row: number) {
  const words = Array.from({ length: 12 }, (_, index) => WORDS[(row * 31 + index * 7 + (row >> index)) % WORDS.length])
  return { narrative: 1 + (row % NARRATIVES), id: `TELEGRAM:POST:${row}`, text: `${words.join(' ')}, ${row}` }
}

function* csvLines() {
  yield 'narrative_id,message_composite_id,story,sentiment_score\n'
  for (let row = 0; row < ROWS; row += 1) {
    const { narrative, id, text } = story(row)
    yield `${narrative},${id},"${text}",${(row % 200) / 100 - 1}\n`
  }
}

function* tsvLines() {
  for (let row = 0; row < ROWS; row += 1) {
    const { narrative, id, text } = story(row)
    const digest = createHash('md5').update(`${id.length}:${id}${text}`).digest('hex')
    yield `${narrative}\t${id}\t${text}\t${(row % 200) / 100 - 1}\tTELEGRAM\tPOST\t${digest}\n`
  }
}

async function empty() {
  await pool.query('truncate narratives, stories, story_vectors, vectorization_runs')
  await pool.query('checkpoint')
}

async function importThem() {
  const body = new FormData()
  body.set('file', await openAsBlob(csv), 'stories.csv')
  const response = await fetch(`${watchdesk.url}/api/v1/stories-import/from-file`, { method: 'POST', headers, body })
  const result = (await response.json()) as { summaries?: { imported_stories_count: number }[] }
  const count = result.summaries?.reduce((sum, summary) => sum + summary.imported_stories_count, 0)
  if (count !== ROWS) throw new Error(`${response.status}: ${JSON.stringify(result).slice(0, 500)}`)
}

async function copyThem() {
  const client = await pool.connect()
  const start = performance.now()
  await client.query('begin')
  await client.query(`insert into narratives (id) select * from generate_series(1, ${NARRATIVES})`)
  await client.query(
    `copy stories (narrative_id, message_composite_id, story, sentiment_score, platform, content_type, digest) from '${tsv}'`,
  )
  await client.query('commit')
  const took = performance.now() - start
  client.release()
  return took
}

/** The durations of sequential requests until the work is done. */
async function others(work: Promise<unknown>, after?: () => Promise<void>) {
  const took: number[] = []
  let isDone = false
  work.then(
    () => {
      isDone = true
    },
    () => {
      isDone = true
    },
  )
  while (!isDone) {
    const start = performance.now()
    await (await fetch(`${watchdesk.url}/api/v1/users/`, { headers })).arrayBuffer()
    took.push(performance.now() - start)
    await after?.()
    await wait(10)
  }
  return took
}

function p99(list: number[]) {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.99)] ?? Number.NaN
}
