import { setTimeout as wait } from 'node:timers/promises'
import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { BulkChanged } from '@watchdesk/contract/operations/changes'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilJob } from '../helpers/jobs.ts'
import { type Replica, startReplica } from '../helpers/replica.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

/** `npm run crash` runs 60. */
const ROUNDS = process.env.CRASH_RUNS ? Math.ceil(Number(process.env.CRASH_RUNS) / 5) : 4
const MANY = ROWS_IN_A_CALL + 1

const watchdesk = useWatchdesk()
let server: Replica | undefined
let home = 0

beforeAll(async () => {
  home = (await watchdesk.createWorkspace()).id
  await watchdesk.database.pool.query(
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
     select $2, 'Kim', 'No ' || n, 'kim' || n || '@example.com', '-', false, false, 'STANDARD', '' from generate_series(1, $1::int) n`,
    [MANY, home],
  )
})
afterAll(() => server?.stop('SIGKILL'))

type State = 'STANDARD' | 'MODERATOR' | 'deleted'

/** In one statement, so that a server that is at work cannot change it in between. */
async function look() {
  const { rows } = await watchdesk.database.pool.query(
    `select (select json_object_agg(state, count) from (
         select case when deleted_at is null then type else 'deleted' end as state, count(*) from users
         where workspace_id = $1 group by 1) as found) as states,
       (select json_object_agg(version, count) from (
         select version, count(*) from users where workspace_id = $1 group by 1) as found) as versions,
       (select count(*)::int from audit_events where entity = 'user' and workspace_id = $1) as parts,
       (select count(*)::int from audit_events where entity = 'users') as events,
       (select count(*)::int from operations where state = 'done') as imports`,
    [home],
  )
  return rows[0] as { imports: number }
}

const allOf = (round: number, state: State) => ({
  states: { [state]: MANY },
  versions: { [round + 1]: MANY },
  parts: MANY * round,
  events: round,
  imports: round,
})

async function send<Body>(round: number, path: string, body: object) {
  const headers = {
    authorization: `Bearer ${watchdesk.admin.token}`,
    'idempotency-key': `killed-bulk-change-${round}`,
    'content-type': 'application/json',
  }
  const response = await fetch(`${server?.url}/api/v1${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

const CHANGES: { body: object; state: State }[] = [
  { body: { action: 'update', set: { type: 'MODERATOR' } }, state: 'MODERATOR' },
  { body: { action: 'delete' }, state: 'deleted' },
]
/** Each change, its undo, and then the next one. */
const wanted = (round: number) => CHANGES[Math.floor(round / 2) % CHANGES.length]
const stateAfter = (round: number): State => (round % 2 === 0 ? (wanted(round)?.state ?? 'STANDARD') : 'STANDARD')

async function request(round: number, last: number) {
  if (round % 2 === 1) return send<Operation>(round, `/imports/${last}/undo`, { changed: 'leave' })
  const expected = { expected_count: MANY, expected_changed_count: MANY }
  const body = { ...wanted(round)?.body, filter: { workspace_ids: [home] }, ...expected }
  const { import_id, job_id } = await send<BulkChanged>(round, '/users/change', body)
  return { id: import_id ?? 0, job_id }
}

async function untilStarted() {
  const count = async () => (await watchdesk.database.pool.query(`select from jobs where state = 'running'`)).rowCount
  await expect.poll(count, { timeout: 30_000 }).toBe(1)
}

test(
  `killed ${ROUNDS} times during changes of many users and their undos: each is carried out completely, once`,
  async () => {
    server = await startReplica(watchdesk)
    let last = 0
    let lasting = 2500
    let early = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = round === 0 ? 'STANDARD' : stateAfter(round - 1)
      const posted = request(round, last).catch(() => undefined)
      // The first kill is always early: kills that all came too late would prove nothing.
      if (round === 0) await untilStarted()
      else await wait(Math.random() * 1.2 * lasting)
      await server.stop('SIGKILL')
      await posted
      const found = await look()
      const isDone = found.imports > round
      expect(found, `round ${round}`).toEqual(isDone ? allOf(round + 1, stateAfter(round)) : allOf(round, before))
      if (!isDone) early += 1

      server = await startReplica(watchdesk)
      const began = performance.now()
      // As time would do in fifteen seconds.
      await watchdesk.database.pool.query('update jobs set leased_until = now() where leased_by is not null')
      // The same job, if it was saved before the kill.
      const { id, job_id } = await request(round, last)
      expect(await untilJob(watchdesk, job_id ?? 0)).toMatchObject({ state: 'done', error: null, import_id: id })
      if (!isDone) lasting = performance.now() - began
      expect(await look()).toEqual(allOf(round + 1, stateAfter(round)))
      last = id
    }
    expect(early).toBeGreaterThan(0)
  },
  60_000 + ROUNDS * 30_000,
)
