import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '@watchdesk/server/db/open'
import type { Contender } from './contender.ts'
import { openBench } from './open.ts'
import { residentBytes } from './process-usage.ts'
import { median, saveResults } from './results.ts'
import { type Spread, spread } from './rounds.ts'
import { USERS } from './seed.ts'
import { IS_SHORT, setting } from './settings.ts'

/**
 * A tenth of all users are moved to one workspace, and that is undone, compared with a plain UPDATE of the same rows and
 * columns, in alternating rounds. The UPDATE writes no events and keeps no rows. Meanwhile, others list, read and edit
 * users that are not changed.
 */
const ROUNDS = setting('BENCH_ROUNDS', 3, 1)
const USERS_PER_WORKSPACE = 100
const CHANGED = USERS / 10
/** The seeded workspaces, without the first one, which everybody is moved to. */
const FROM = Array.from({ length: CHANGED / USERS_PER_WORKSPACE }, (_, n) => n + 3)
const TO = 2
/** The first users of other workspaces, who are edited meanwhile. */
const OTHERS = Array.from({ length: 20 }, (_, n) => CHANGED / USERS_PER_WORKSPACE + 20 + n)
const IDLE_MS = IS_SHORT ? 200 : 5000
/** The type of the users who are moved, and of nobody else. */
const TYPE = 'MODERATOR'
const WANTED = { action: 'update', set: { workspace_id: TO }, filter: { type: TYPE } }

export type UsersChangeFigures = {
  machine: string
  users: number
  changed: number
  figures: Record<string, number | Spread>
}

const bench = await openBench('data-users-change', USERS)
const { pool, close } = connect(
  { connectionString: bench.databaseUrl },
  { DATABASE_POOL_SIZE: 1, STATEMENT_TIMEOUT_MS: 0 },
)
await pool.query('update users set type = $1 where workspace_id = any($2)', [TYPE, FROM])
const watchdesk = await bench.start('Watchdesk')
try {
  await measure(watchdesk)
} finally {
  await watchdesk.stop()
  await close()
  await bench.stop()
}

async function measure(server: Contender) {
  const times = { change: [] as number[], undo: [] as number[], bare: [] as number[], preview: [] as number[] }
  const waits = { idle: [] as number[], change: [] as number[], undo: [] as number[] }
  const resident = { before: 0, most: 0 }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = await checksum()
    await tidy()
    const idle = await meanwhile(server, () => wait(IDLE_MS))
    resident.before = Math.max(resident.before, idle.resident)
    const began = performance.now()
    const { changed_count } = await post<{ changed_count: number }>(server, 'users/change/preview', WANTED)
    const preview = performance.now() - began
    if (changed_count !== CHANGED) throw new Error(`${changed_count} users would change`)
    const expected = { expected_count: CHANGED, expected_changed_count: CHANGED }
    let import_id = 0
    const change = await meanwhile(server, async () => {
      const made = await post<Made>(server, 'users/change', { ...WANTED, ...expected })
      import_id = made.import_id
      await untilDone(server, made)
    })
    await tidy()
    const undo = await meanwhile(server, async () =>
      untilDone(server, await post<Made>(server, `imports/${import_id}/undo`, { changed: 'leave' })),
    )
    if ((await checksum()) !== before) throw new Error('The undo did not put everything back')
    await tidy()
    const bare = await update()
    // The first round warms up.
    if (round === 0) continue
    times.preview.push(preview)
    times.change.push(change.ms)
    times.undo.push(undo.ms)
    times.bare.push(bare)
    waits.idle.push(...idle.waits)
    waits.change.push(...change.waits)
    waits.undo.push(...undo.waits)
    resident.most = Math.max(resident.most, change.resident, undo.resident)
  }
  const ratioTo = (list: number[]) => spread(list.map((ms, round) => ms / (times.bare[round] ?? Number.NaN)))
  const usersChange: UsersChangeFigures = {
    machine: `${cpus().length} cores, ${cpus()[0]?.model}`,
    users: USERS,
    changed: CHANGED,
    figures: {
      'preview, ms': Math.round(median(times.preview)),
      'change, ms': Math.round(median(times.change)),
      'undo, ms': Math.round(median(times.undo)),
      'plain UPDATE, ms': Math.round(median(times.bare)),
      'change, times the UPDATE': ratioTo(times.change),
      'undo, times the UPDATE': ratioTo(times.undo),
      'p99 of other requests, idle, ms': percentile(waits.idle, 0.99),
      'p99 of other requests during the change, ms': percentile(waits.change, 0.99),
      'p99 of other requests during the undo, ms': percentile(waits.undo, 0.99),
      'longest other request during the change, ms': percentile(waits.change, 1),
      'resident before, MB': Math.round(resident.before / 1e6),
      'resident at most, MB': Math.round(resident.most / 1e6),
    },
  }
  console.table(usersChange.figures)
  await saveResults({ usersChange })
}

type Made = { import_id: number; job_id: number | null }

/** The same columns, there and back: half of the time of both. */
async function update() {
  await pool.query('drop table if exists bench_homes')
  await pool.query('create table bench_homes as select id, workspace_id from users where workspace_id = any($1)', [
    FROM,
  ])
  const set = 'version = version + 1, updated_at = now(), updated_by = 1'
  const began = performance.now()
  await pool.query(`update users set workspace_id = $1, ${set} where workspace_id = any($2) and deleted_at is null`, [
    TO,
    FROM,
  ])
  const took = performance.now() - began
  await pool.query(
    'update users set workspace_id = bench_homes.workspace_id from bench_homes where bench_homes.id = users.id',
  )
  await pool.query('drop table bench_homes')
  return took
}

async function checksum() {
  const { rows } = await pool.query<{ sum: string }>(
    `select sum(hashtextextended(concat_ws('|', id, workspace_id, email,
    first_name, type, language, is_admin, is_super_admin, deleted_at), 0))::text as sum from users
    where workspace_id = any($1)`,
    [[TO, ...FROM]],
  )
  return rows[0]?.sum
}

async function tidy() {
  await pool.query('vacuum users')
  await pool.query('checkpoint')
}

/** How long the work takes, how long others wait for a response meanwhile, and the most memory of the server. */
async function meanwhile(server: Contender, work: () => Promise<unknown>) {
  let isDone = false
  const waits: number[] = []
  let resident = 0
  const began = performance.now()
  const working = work().finally(() => {
    isDone = true
  })
  const watching = (async () => {
    while (!isDone) {
      resident = Math.max(resident, await residentBytes({ pid: server.pid ?? 0 }))
      await wait(50)
    }
  })()
  const others = async () => {
    for (let n = 0; !isDone; n += 1) {
      const id = OTHERS[n % OTHERS.length]
      const calls = [
        () => fetch(`${server.url}/api/v1/users/?page=${1 + (n % 5)}`, { headers: server.headers }),
        () => fetch(`${server.url}/api/v1/users/${id}`, { headers: server.headers }),
        () => send(server, 'PATCH', `users/${id}`, { first_name: `Edited ${n}` }),
      ]
      const start = performance.now()
      const response = await calls[n % calls.length]?.()
      await response?.arrayBuffer()
      if (response?.status !== 200) throw new Error(`Another request: ${response?.status}`)
      waits.push(performance.now() - start)
      await wait(5)
    }
  }
  await Promise.all([working, watching, others(), others()])
  return { ms: performance.now() - began, waits, resident }
}

async function untilDone(server: Contender, { job_id }: Made) {
  if (job_id === null) return
  for (;;) {
    const response = await fetch(`${server.url}/api/v1/jobs/${job_id}`, { headers: server.headers })
    const { state, error } = (await response.json()) as { state: string; error: string | null }
    if (state === 'done') return
    if (state !== 'queued' && state !== 'running') throw new Error(`The job has ${state}: ${error}`)
    await wait(50)
  }
}

function send(server: Contender, method: string, path: string, body: object) {
  const headers = { ...server.headers, 'content-type': 'application/json' }
  return fetch(`${server.url}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) })
}

async function post<Body>(server: Contender, path: string, body: object) {
  const response = await send(server, 'POST', path, body)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Body
}

function percentile(list: number[], share: number) {
  const sorted = list.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) * 10) / 10
}
