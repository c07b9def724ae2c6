import { fileURLToPath } from 'node:url'
import { startEmbedded } from '@watchdesk/server/db/embedded'
import { migrate } from '@watchdesk/server/db/migrate'
import pg from 'pg'
import { startServer } from '../../scripts/start-server.mjs'
import type { Contender } from './contender.ts'
import { load } from './load.ts'
import { startPeers } from './peers/peers.ts'
import { median, rounded, saveResults } from './results.ts'
import { seed, USERS } from './seed.ts'
import { OUR_WORKS } from './works.ts'

/** User and workspace lists with a million rows, compared with the baseline in alternating rounds. Prints ratios. */
const DATA = fileURLToPath(new URL('../data', import.meta.url))
const ADMIN = { email: 'bench@watchdesk.local', password: 'bench and nothing else' }
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)

const embedded = await startEmbedded(DATA, { settings: { shared_buffers: '512MB' } })
const { host, user, database } = embedded.connection
const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
const settings = {
  DATABASE_URL,
  PORT: '0',
  LOG_LEVEL: 'warn',
  BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
  BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
}

const pool = new pg.Pool({ connectionString: DATABASE_URL })
await migrate(pool)
// The server creates the first super admin in an empty database; the rest is seeded afterwards.
const watchdesk = await startServer(settings)
await seed(pool)
const baseline = await startServer(settings, {
  command: [process.execPath, fileURLToPath(new URL('./baseline.js', import.meta.url))],
})

const login = await fetch(`${watchdesk.url}/api/v1/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(ADMIN),
})
const { access_token } = (await login.json()) as { access_token: string }
const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }

const peers = process.argv.includes('--peers') ? await startPeers(DATABASE_URL) : { contenders: [], missing: [] }
const contenders: Contender[] = [
  { ...watchdesk, name: 'Watchdesk', headers, works: OUR_WORKS },
  { ...baseline, name: 'Baseline', headers, works: OUR_WORKS },
  ...peers.contenders,
]
const results = { throughput: await throughput(), latency: await latency() }
console.table(results.throughput)
console.table(results.latency)
await saveResults(results)

await watchdesk.stop()
await baseline.stop()
await pool.end()
await embedded.stop()

/** Requests per second with ten connections, as a ratio to the baseline. */
async function throughput() {
  const table: Record<string, { ours: number; baseline: number; ratio: number }> = {}
  for (const name of ['list page 1', 'read one', 'edit one'] as const) {
    const work = OUR_WORKS[name]
    const runs = { ours: [] as number[], baseline: [] as number[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const contender of contenders.slice(0, 2)) {
        const side = contender.name === 'Watchdesk' ? 'ours' : 'baseline'
        runs[side].push((await load(contender, work, 10, SECONDS)).perSecond)
      }
    }
    const [ours, reference] = [median(runs.ours), median(runs.baseline)]
    table[name] = { ours: Math.round(ours), baseline: Math.round(reference), ratio: rounded(ours / reference) }
  }
  return table
}

/** One request at a time, alternating between kinds; medians relative to page 1. */
async function latency() {
  const last = Math.ceil((USERS + 1) / 20)
  const paths = {
    'page 1': '/api/v1/users/?page=1',
    'middle page': `/api/v1/users/?page=${Math.round(last / 2)}`,
    'last page': `/api/v1/users/?page=${last}`,
    'page 1 by email': '/api/v1/users/?sort=email',
    'middle page by email': `/api/v1/users/?sort=email&page=${Math.round(last / 2)}`,
    'last page by email': `/api/v1/users/?sort=email&page=${last}`,
    'one workspace': '/api/v1/users/?workspace_ids=77',
    'search, part of an email': '/api/v1/users/?search=user77777@',
    'search, a common name': '/api/v1/users/?search=kovalenko',
  }
  const times = new Map(Object.keys(paths).map((name) => [name, [] as number[]]))
  for (let round = 0; round < 40; round += 1) {
    for (const [name, path] of Object.entries(paths)) {
      const start = performance.now()
      const response = await fetch(`${watchdesk.url}${path}`, { headers })
      await response.json()
      if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
      times.get(name)?.push(performance.now() - start)
    }
  }
  const first = median(times.get('page 1') ?? [])
  return Object.fromEntries(
    [...times].map(([name, list]) => [
      name,
      { ms: rounded(median(list)), 'times page 1': rounded(median(list) / first) },
    ]),
  )
}
