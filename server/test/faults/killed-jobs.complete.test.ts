import { setTimeout as wait } from 'node:timers/promises'
import type { Job } from '@watchdesk/contract/jobs'
import { afterAll, expect, test } from 'vitest'
import { formOf } from '../helpers/form.ts'
import { SOURCE_JOBS, STORIES_JOBS, untilJob } from '../helpers/jobs.ts'
import { type Replica, startReplica } from '../helpers/replica.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

/** One of each kind; `npm run crash` runs 300. */
const ROUNDS = Number(process.env.CRASH_RUNS ?? 3)
const ROWS = 3000

const watchdesk = useWatchdesk()
let server: Replica | undefined

afterAll(() => server?.stop('SIGKILL'))

const lines = (make: (row: number) => string) => Array.from({ length: ROWS }, (_, row) => make(row))

function storiesForm(round: number, first: number, remove: boolean) {
  const rows = lines((row) => `${first + (row % 3)},m-${round}-${row},round-${round} row ${row},0.5`)
  const text = ['narrative_id,message_composite_id,story,sentiment_score', ...rows].join('\n')
  return formOf(`round-${round}.csv`, text, { delete_existing_stories: String(remove) })
}

function sourcesForm(round: number) {
  const rows = lines((row) => `https://t.me/round-${round}/x${row},UA`)
  return formOf(`round-${round}.csv`, ['source_url,source_country', ...rows].join('\n'), { rows_count: String(ROWS) })
}

const storiesIn = (
  narratives: string,
) => `select split_part(story, ' ', 1) as round, count(*)::int as count from stories
  where deleted_at is null and narrative_id ${narratives} group by 1`

/** A file, where it is sent to, and the query for the number of rows of each round. */
const KINDS = {
  'stories that replace others': {
    path: STORIES_JOBS,
    body: (round: number) => storiesForm(round, 1, true),
    found: storiesIn('<= 3'),
    replaces: true,
  },
  'stories that join others': {
    path: STORIES_JOBS,
    body: (round: number) => storiesForm(round, 11, false),
    found: storiesIn('> 3'),
    replaces: false,
  },
  sources: {
    path: SOURCE_JOBS,
    body: sourcesForm,
    found: `select split_part(url, '/', 4) as round, count(*)::int as count from sources where deleted_at is null group by 1`,
    replaces: false,
  },
}
type Kind = keyof typeof KINDS
const names = Object.keys(KINDS) as Kind[]

/** In one statement, so that a server that is at work cannot change it in between. */
async function look(kind: Kind, round: number) {
  const { rows } = await watchdesk.database.pool.query(
    `select coalesce((select json_object_agg(round, count) from (${KINDS[kind].found}) as found), '{}') as counts,
       (select json_agg(json_build_object('job', jobs.state, 'import', operations.state))
         from operations join jobs on jobs.id = job_id where name = $1 and undoes_id is null) as states,
       (select count(*)::int from audit_events where action = 'import') as events,
       (select count(*)::int from job_files join jobs on jobs.id = job_id where state not in ('queued', 'running')) as files`,
    [`round-${round}.csv`],
  )
  return rows[0] as { counts: Record<string, number>; states: unknown[] | null; events: number; files: number }
}

async function post(kind: Kind, round: number) {
  const { path, body } = KINDS[kind]
  const headers = { authorization: `Bearer ${watchdesk.admin.token}`, 'idempotency-key': `killed-job-${round}` }
  const response = await fetch(server?.url + path, { method: 'POST', body: body(round), headers })
  expect(response.status).toBe(202)
  return ((await response.json()) as Job).id
}

/** Undoing the import leads to what was there before the round, and undoing that back again. */
async function undoAndRedo(kind: Kind, round: number, before: Record<string, number>, after: Record<string, number>) {
  const { rows } = await watchdesk.database.pool.query(
    'select id from operations where name = $1 and undoes_id is null',
    [`round-${round}.csv`],
  )
  let id: number = rows[0].id
  for (const expected of [before, after]) {
    const undone = await watchdesk.admin<{ id: number }>('POST', `/api/v1/imports/${id}/undo`, { changed: 'leave' })
    expect(undone.status).toBe(200)
    expect((await look(kind, round)).counts).toEqual(expected)
    id = undone.body.id
  }
}

/** As time would do in fifteen seconds. */
const expireLeases = () =>
  watchdesk.database.pool.query(`update jobs set leased_until = now() where leased_by is not null`)

test(
  `killed ${ROUNDS} times during a job: it is carried out completely, once, by the server that is started next, and its undo is exact`,
  async () => {
    const kept = Object.fromEntries(names.map((kind) => [kind, {}])) as Record<Kind, Record<string, number>>
    const lasting = Object.fromEntries(names.map((kind) => [kind, 1000])) as Record<Kind, number>
    const seen = { 'before it was queued': 0, waiting: 0, 'while it ran': 0, 'after its end': 0 }
    server = await startReplica(watchdesk)
    for (let round = 0; round < ROUNDS; round += 1) {
      const kind = names[round % names.length] ?? 'sources'
      const after = { ...(KINDS[kind].replaces ? {} : kept[kind]), [`round-${round}`]: ROWS }

      const posted = post(kind, round).catch(() => undefined)
      // The first kill is always early: kills that all came too late would prove nothing.
      await wait((round === 0 ? 0.3 : Math.random() * 1.2) * lasting[kind])
      await server.stop('SIGKILL')
      await posted
      const { counts, states } = await look(kind, round)
      const isDone = JSON.stringify(states) === JSON.stringify([{ job: 'done', import: 'done' }])
      expect(counts, `${kind}, round ${round}`).toEqual(isDone ? after : kept[kind])
      seen[stageOf(states)] += 1

      server = await startReplica(watchdesk)
      const began = performance.now()
      await expireLeases()
      // The same job, if it was saved before the kill.
      const id = await post(kind, round)
      expect(await untilJob(watchdesk, id)).toMatchObject({ state: 'done', error: null })
      if (stageOf(states) === 'before it was queued') lasting[kind] = performance.now() - began
      expect(await look(kind, round)).toEqual({
        counts: after,
        states: [{ job: 'done', import: 'done' }],
        events: round + 1,
        files: 0,
      })
      await undoAndRedo(kind, round, kept[kind], after)
      kept[kind] = after
    }
    expect(seen['after its end'], JSON.stringify(seen)).toBeLessThan(ROUNDS)
    if (ROUNDS >= 100) console.log(seen)
  },
  60_000 + ROUNDS * 30_000,
)

function stageOf(states: unknown[] | null) {
  const [first] = (states ?? []) as { job: Job['state'] }[]
  if (!first) return 'before it was queued'
  if (first.job === 'queued') return 'waiting'
  return first.job === 'running' ? 'while it ran' : 'after its end'
}

test('a job whose server was killed starts again when its lease has run out, and fails after three times', async () => {
  const { pool } = watchdesk.database
  server ??= await startReplica(watchdesk)
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('lock table sources in access exclusive mode')
    const id = await post('sources', ROUNDS)
    await untilStarted(1)
    await server.stop('SIGKILL')
    server = await startReplica(watchdesk)
    // Without any help.
    await untilStarted(2)
    for (const attempts of [3, 4]) {
      await server.stop('SIGKILL')
      server = await startReplica(watchdesk)
      await expireLeases()
      if (attempts === 3) await untilStarted(3)
    }
    const { state, error } = await untilJob(watchdesk, id)
    expect([state, error]).toEqual([
      'failed',
      expect.stringMatching(/^The server stopped during this job. It was started 3 times/),
    ])
  } finally {
    client.release(true)
  }
}, 120_000)

async function untilStarted(attempts: number) {
  const query = `select from jobs where state = 'running' and attempts = ${attempts} and leased_until > now()`
  while ((await watchdesk.database.pool.query(query)).rowCount === 0) await wait(20)
}
