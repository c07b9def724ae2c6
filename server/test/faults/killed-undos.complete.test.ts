import { setTimeout as wait } from 'node:timers/promises'
import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { Operation } from '@watchdesk/contract/operations/operations'
import type { SourcesChanged } from '@watchdesk/contract/sources'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { untilJob } from '../helpers/jobs.ts'
import { type Replica, startReplica } from '../helpers/replica.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

/** `npm run crash` runs 60. */
const ROUNDS = process.env.CRASH_RUNS ? Math.ceil(Number(process.env.CRASH_RUNS) / 5) : 4
const MANY = ROWS_IN_A_CALL + 1
const COUNTRIES = ['PL', 'DE', 'FR']

const watchdesk = useWatchdesk()
let server: Replica | undefined

beforeAll(() =>
  watchdesk.database.pool.query(
    `insert into sources (platform, url, country)
     select 'TELEGRAM', 'https://t.me/killed_' || n, 'UA' from generate_series(1, $1::int) n`,
    [MANY],
  ),
)
afterAll(() => server?.stop('SIGKILL'))

/** In one statement, so that a server that is at work cannot change it in between. */
async function look() {
  const { rows } = await watchdesk.database.pool.query(
    `select (select json_object_agg(country, count) from (
         select country, count(*) from sources where deleted_at is null group by 1) as found) as countries,
       (select json_object_agg(version, count) from (select version, count(*) from sources group by 1) as found) as versions,
       (select count(*)::int from operation_changes) as changes,
       (select count(*)::int from operations where state = 'done') as imports,
       (select count(*)::int from audit_events where entity = 'sources') as events,
       (select coalesce(max(state), 'none') from jobs where state <> 'done') as unfinished`,
  )
  return rows[0] as Record<'countries' | 'versions', Record<string, number>> & {
    changes: number
    imports: number
    events: number
    unfinished: string
  }
}

type Looked = Awaited<ReturnType<typeof look>>

const allIn = (round: number, country: string): Looked => ({
  countries: { [country]: MANY },
  versions: { [round + 1]: MANY },
  changes: MANY * round,
  imports: round,
  events: round,
  unfinished: 'none',
})

async function send<Body>(round: number, path: string, body: object) {
  const headers = {
    authorization: `Bearer ${watchdesk.admin.token}`,
    'idempotency-key': `killed-undo-${round}`,
    'content-type': 'application/json',
  }
  const response = await fetch(`${server?.url}/api/v1${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

/** A change, its undo, and the undo of that, in turns. */
async function request(round: number, last: { id: number; country: string }) {
  if (round % 3 !== 0) {
    const { id, job_id } = await send<Operation>(round, `/imports/${last.id}/undo`, { changed: 'leave' })
    return { id, job_id }
  }
  const body = { action: 'set_country', country: wanted(round), filter: {}, expected_count: MANY }
  const { import_id, job_id } = await send<SourcesChanged>(round, '/sources/change', body)
  return { id: import_id ?? 0, job_id }
}

const wanted = (round: number) => COUNTRIES[Math.floor(round / 3) % COUNTRIES.length] ?? 'PL'

test(
  `killed ${ROUNDS} times during changes of many sources and their undos: each is carried out completely, once`,
  async () => {
    server = await startReplica(watchdesk)
    let last = { id: 0, country: 'UA', before: 'UA' }
    let lasting = 1500
    const seen = { before: 0, after: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const country = round % 3 === 0 ? wanted(round) : last.before
      const posted = request(round, last).catch(() => undefined)
      // The first kill is always early: kills that all came too late would prove nothing.
      await wait((round === 0 ? 0.3 : Math.random() * 1.2) * lasting)
      await server.stop('SIGKILL')
      await posted
      const { unfinished, ...found } = await look()
      const isDone = found.imports > round
      expect(found, `round ${round}, ${unfinished}`).toMatchObject(
        withoutJob(isDone ? allIn(round + 1, country) : allIn(round, last.country)),
      )
      seen[isDone ? 'after' : 'before'] += 1

      server = await startReplica(watchdesk)
      const began = performance.now()
      // As time would do in fifteen seconds.
      await watchdesk.database.pool.query('update jobs set leased_until = now() where leased_by is not null')
      // The same job, if it was saved before the kill.
      const { id, job_id } = await request(round, last)
      expect(await untilJob(watchdesk, job_id ?? 0)).toMatchObject({ state: 'done', error: null, import_id: id })
      if (!isDone) lasting = performance.now() - began
      expect(await look()).toEqual(allIn(round + 1, country))
      last = { id, country, before: last.country }
    }
    expect(seen.before, JSON.stringify(seen)).toBeGreaterThan(0)
    if (ROUNDS >= 20) console.log(seen)
  },
  60_000 + ROUNDS * 30_000,
)

function withoutJob({ unfinished: _, ...looked }: Looked) {
  return looked
}
