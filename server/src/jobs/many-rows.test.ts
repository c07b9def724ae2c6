import { randomUUID } from 'node:crypto'
import type { Import, UndoPreview } from '@watchdesk/contract/imports'
import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { SourcesChanged } from '@watchdesk/contract/sources'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getJob, untilJob } from '../../test/helpers/jobs.ts'
import { holdSources, waitForLocks } from '../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../test/helpers/people.ts'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { createDeps, prepareDeps } from '../create-deps.ts'
import type { Jobs } from './jobs.ts'

const MANY = ROWS_IN_A_CALL + 1
const IN_BACKGROUND = 'It is already being undone in the background. Wait until that has ended, or cancel it.'

const watchdesk = useWatchdesk()
let server: Jobs | undefined
let name = ''
let source_import = 0

/** An import of just too many sources for a call. */
beforeEach(async () => {
  name = `s${randomUUID().slice(0, 8)}`
  const { rows } = await watchdesk.database.pool.query(
    `insert into imports (kind, state, name, counts) values ('source_import', 'done', $1, $2) returning id`,
    [`${name}.csv`, { requested: MANY }],
  )
  source_import = rows[0].id
  // As unlucky as can be: the table is analyzed before the import is saved, so PostgreSQL takes it for empty afterwards.
  const client = await watchdesk.database.pool.connect()
  await client.query('begin')
  await client.query(
    `insert into sources (platform, url, country, import_id)
     select 'TELEGRAM', 'https://t.me/' || $1::text || '_' || n, 'UA', $2 from generate_series(1, $3::int) n`,
    [name, source_import, MANY],
  )
  await watchdesk.database.pool.query('analyze sources')
  await client.query('commit')
  client.release()
})
afterEach(async () => {
  await server?.stop()
  server = undefined
  await watchdesk.database.pool.query('truncate sources, source_changes')
})

/** Jobs wait until a server is there. */
async function start() {
  const { deps } = await createDeps(await prepareDeps(watchdesk.deps.env), watchdesk.database)
  deps.jobs.start(() => {})
  server = deps.jobs
}

const undo = (id: number, changed: 'leave' | 'all' | number[] = 'leave', call = watchdesk.admin, key?: string) =>
  call<Import>('POST', `/api/v1/imports/${id}/undo`, { changed }, key ? { 'idempotency-key': key } : {})
const read = async (id: number) => (await watchdesk.admin<Import>('GET', `/api/v1/imports/${id}`)).body
const change = (given: object, call = watchdesk.admin, key?: string) =>
  call<SourcesChanged>(
    'POST',
    '/api/v1/sources/change',
    { filter: { search: `${name}_` }, expected_count: MANY, ...given },
    key ? { 'idempotency-key': key } : {},
  )
const POLAND = { action: 'set_country', country: 'PL' }
const REMOVE = { action: 'remove' }

/** How many sources of this test there are, by country. */
async function live() {
  const { rows } = await watchdesk.database.pool.query(
    `select coalesce(json_object_agg(country, count), '{}') as counts from (
       select country, count(*) from sources where deleted_at is null and url like $1 group by 1) as found`,
    [`%${name}%`],
  )
  return rows[0].counts
}

async function eventsOf(import_id: number | null) {
  const { rows } = await watchdesk.database.pool.query(
    `select action, entity, actor_id, ip is not null as has_ip, record_name, changes from audit_events
     where entity_id = $1 and entity in ('sources', 'stories') order by id`,
    [import_id],
  )
  return rows
}

const hold = () => holdSources(watchdesk.database.pool, 'share row exclusive')

const cancel = (job_id: number | null) => watchdesk.admin('POST', `/api/v1/jobs/${job_id}/cancel`)

describe('undoing an import of many rows', () => {
  test('answers at once, and is done in the background, like undoing that', async () => {
    const key = randomUUID()
    const { status, body: queued } = await undo(source_import, 'leave', watchdesk.admin, key)
    expect([status, queued]).toEqual([
      200,
      expect.objectContaining({
        kind: 'undo',
        state: 'queued',
        job_id: expect.any(Number),
        undoes: { id: source_import, kind: 'source_import', name: `${name}.csv` },
        progress: { step: 'waiting', done: 0, total: null },
        can_undo: false,
      }),
    ])
    expect((await undo(source_import, 'leave', watchdesk.admin, key)).body.id).toBe(queued.id)
    expect(await read(source_import)).toMatchObject({
      undone: null,
      can_undo: false,
      undoing: { import_id: queued.id, is_redo: false },
    })
    const job_id = queued.job_id ?? 0
    expect(await getJob(watchdesk, job_id)).toMatchObject({ kind: 'undo', name: `${name}.csv`, bytes: null })
    expect(await live()).toEqual({ UA: MANY })

    await start()
    expect(await untilJob(watchdesk, job_id)).toMatchObject({ state: 'done', error: null, import_id: queued.id })
    expect(await live()).toEqual({})
    const counts = { 'sources removed': MANY }
    expect(await read(queued.id)).toMatchObject({ state: 'done', counts, can_undo: true, progress: null })
    const undone = { import_id: queued.id, by: { id: 1 } }
    expect(await read(source_import)).toMatchObject({ undone, can_undo: false, undoing: null })
    expect(await eventsOf(queued.id)).toEqual([
      {
        action: 'undo',
        entity: 'sources',
        actor_id: 1,
        has_ip: true,
        record_name: `${name}.csv`,
        changes: {
          import_id: { before: null, after: source_import },
          origin_kind: { before: null, after: 'source_import' },
          is_redo: { before: null, after: false },
          'sources removed': { before: null, after: MANY },
          left_alone: { before: null, after: 0 },
        },
      },
    ])

    const { body: redo } = await undo(queued.id)
    expect(redo).toMatchObject({ is_redo: true, undoes: { id: queued.id } })
    expect(await untilJob(watchdesk, redo.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await live()).toEqual({ UA: MANY })
    expect(await read(source_import)).toMatchObject({ undone: null, can_undo: true })
    expect(await read(redo.id)).toMatchObject({ is_redo: true, can_undo: true })
    expect(await eventsOf(redo.id)).toMatchObject([
      { changes: { origin_kind: { after: 'source_import' }, is_redo: { after: true } } },
    ])
  })

  test('is refused while another undo of it waits or runs, without waiting for that', async () => {
    const { body: queued } = await undo(source_import)
    const problem = async () =>
      (await watchdesk.admin<UndoPreview>('GET', `/api/v1/imports/${source_import}/undo`)).body.problem
    const refused = { status: 409, body: { detail: IN_BACKGROUND } }
    expect(await undo(source_import)).toMatchObject(refused)
    expect(await problem()).toBe(IN_BACKGROUND)
    const release = await hold()
    await start()
    await waitForLocks(watchdesk.database.pool)
    expect(await undo(source_import, 'all')).toMatchObject(refused)
    expect(await undo(queued.id)).toMatchObject({ status: 409 })
    expect(await problem()).toBe(IN_BACKGROUND)
    await release()
    expect(await untilJob(watchdesk, queued.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await undo(source_import)).toMatchObject({ status: 409, body: { detail: 'It is already undone.' } })
  })

  test('shows on every import of its chain that it is under way', async () => {
    await start()
    const { body: first } = await undo(source_import)
    await untilJob(watchdesk, first.job_id ?? 0)
    await server?.stop()
    const { body: redo } = await undo(first.id)
    const undoing = { import_id: redo.id }
    expect((await read(first.id)).undoing).toEqual({ ...undoing, is_redo: false })
    expect((await read(source_import)).undoing).toEqual({ ...undoing, is_redo: true })
    expect((await read(redo.id)).undoing).toBeNull()
    await cancel(redo.job_id)
    expect(await read(first.id)).toMatchObject({ undoing: null, can_undo: true })
    expect(await read(source_import)).toMatchObject({ undoing: null, undone: { import_id: first.id } })
  })

  test('leaves it as it was if it is cancelled, waiting or running, and it can be undone again', async () => {
    const { body: waiting } = await undo(source_import)
    await cancel(waiting.job_id)
    expect(await read(waiting.id)).toMatchObject({ state: 'cancelled', undoes: { id: source_import }, can_undo: false })
    expect(await eventsOf(waiting.id)).toMatchObject([
      { action: 'cancel', entity: 'sources', changes: { undo: { before: null, after: `${name}.csv` } } },
    ])

    const release = await hold()
    await start()
    const { body: running } = await undo(source_import)
    await waitForLocks(watchdesk.database.pool)
    await cancel(running.job_id)
    // It ends although its statement could not go on.
    expect(await untilJob(watchdesk, running.job_id ?? 0)).toMatchObject({ state: 'cancelled' })
    await release()
    expect(await live()).toEqual({ UA: MANY })
    expect(await read(source_import)).toMatchObject({ undone: null, undoing: null, can_undo: true })

    const { body: again } = await undo(source_import)
    expect(await untilJob(watchdesk, again.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect((await read(source_import)).undone).toMatchObject({ import_id: again.id })
    expect(await live()).toEqual({})
  })

  test('fails with the reason of the call, and it can be undone again', async () => {
    await watchdesk.database.pool.query('update sources set version = 2, content_version = 2')
    await start()
    const { body: queued } = await undo(source_import)
    const error = 'All of its rows changed since or no longer exist, so nothing was undone.'
    expect(await untilJob(watchdesk, queued.job_id ?? 0)).toMatchObject({ state: 'failed', error })
    expect(await read(queued.id)).toMatchObject({ state: 'failed', error, counts: {} })
    const { body: again } = await undo(source_import, 'all')
    expect(await untilJob(watchdesk, again.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await live()).toEqual({})
  })

  test('is not made a job if it is small enough', async () => {
    await watchdesk.database.pool.query('delete from sources where url = $1', [`https://t.me/${name}_1`])
    expect((await undo(source_import)).body).toMatchObject({ state: 'done', job_id: null })
  })

  test('is a job if it also undoes what an earlier undo left alone', async () => {
    const { pool } = watchdesk.database
    await pool.query(`update sources set country = 'PL', version = 2, content_version = 2 where url <> $1`, [
      `https://t.me/${name}_1`,
    ])
    const first = await undo(source_import)
    await start()
    await untilJob(watchdesk, first.body.job_id ?? 0)
    expect(await read(first.body.id)).toMatchObject({ counts: { 'sources removed': 1, 'left alone': MANY - 1 } })
    expect((await undo(first.body.id)).body).toMatchObject({ state: 'done', job_id: null })
    const again = await undo(source_import, 'all')
    expect(again.body).toMatchObject({ state: 'queued', job_id: expect.any(Number) })
    await untilJob(watchdesk, again.body.job_id ?? 0)
    expect(await live()).toEqual({})
  })
})

describe('changing many sources', () => {
  test('answers at once, and is done in the background', async () => {
    const key = randomUUID()
    const { status, body } = await change(POLAND, watchdesk.admin, key)
    const { import_id, job_id } = body
    expect([status, body]).toEqual([200, { changed_count: MANY, import_id, job_id: expect.any(Number) }])
    expect((await change(POLAND, watchdesk.admin, key)).body).toEqual(body)
    expect((await change(REMOVE, watchdesk.admin, key)).status).toBe(422)
    const summary = `Set the country of ${MANY.toLocaleString('en')} sources to Poland`
    expect(await read(import_id ?? 0)).toMatchObject({ kind: 'sources_change', state: 'queued', summary })
    expect(await getJob(watchdesk, job_id ?? 0)).toMatchObject({ kind: 'sources_change', name: summary, bytes: null })
    expect(await live()).toEqual({ UA: MANY })

    await start()
    expect(await untilJob(watchdesk, job_id ?? 0)).toMatchObject({ state: 'done', error: null })
    expect(await live()).toEqual({ PL: MANY })
    expect(await read(import_id ?? 0)).toMatchObject({
      state: 'done',
      summary,
      counts: { changed: MANY },
      can_undo: true,
    })
    expect(await eventsOf(import_id)).toMatchObject([
      {
        action: 'update',
        actor_id: 1,
        has_ip: true,
        changes: { changed_count: { before: null, after: MANY }, country: { before: null, after: 'PL' } },
      },
    ])
    expect((await change(POLAND)).body).toEqual({ changed_count: 0, import_id: null, job_id: null })

    const { body: undone } = await undo(import_id ?? 0)
    expect(await getJob(watchdesk, undone.job_id ?? 0)).toMatchObject({ kind: 'undo', name: summary })
    expect(await untilJob(watchdesk, undone.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await live()).toEqual({ UA: MANY })
  })

  test('is refused at once if another number matches, and there is no job', async () => {
    const { status, body } = await change({ ...REMOVE, expected_count: MANY + 1 })
    const detail = '20,001 sources match now instead of 20,002. Check the list and try again.'
    expect([status, body]).toEqual([409, { detail }])
    const { rows } = await watchdesk.database.pool.query(`select from jobs where state = 'queued'`)
    expect(rows).toEqual([])
  })

  test('fails with the same reason if another number matches when it starts, and nothing is changed', async () => {
    const { body } = await change(REMOVE)
    await watchdesk.database.pool.query('delete from sources where url = $1', [`https://t.me/${name}_1`])
    await start()
    expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({
      state: 'failed',
      error: '20,000 sources match now instead of 20,001. Check the list and try again.',
    })
    expect(await live()).toEqual({ UA: MANY - 1 })
    expect(await read(body.import_id ?? 0)).toMatchObject({ state: 'failed', counts: {}, can_undo: false })
  })

  test('is done, with nothing changed, if another change did it first', async () => {
    const { body } = await change(POLAND)
    await watchdesk.database.pool.query(`update sources set country = 'PL', version = 2, content_version = 2`)
    await start()
    expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({ state: 'done' })
    expect(await read(body.import_id ?? 0)).toMatchObject({ state: 'done', counts: { changed: 0 }, can_undo: false })
    expect(await eventsOf(body.import_id)).toEqual([])
  })

  test('ends when it is cancelled while its statement waits', async () => {
    const release = await hold()
    const { body } = await change(REMOVE)
    await start()
    await waitForLocks(watchdesk.database.pool)
    await cancel(body.job_id)
    expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({ state: 'cancelled' })
    await release()
    expect(await live()).toEqual({ UA: MANY })
    expect(await eventsOf(body.import_id)).toMatchObject([
      { action: 'cancel', changes: { change: { after: `Remove ${MANY.toLocaleString('en')} sources` } } },
    ])
  })

  test('fails after three conflicts, and says so', async () => {
    const { pool } = watchdesk.database
    await pool.query(`create function conflict() returns trigger language plpgsql as
      $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`)
    await pool.query(
      'create trigger conflict before insert on source_changes for each statement execute function conflict()',
    )
    try {
      const { body } = await change(REMOVE)
      await start()
      expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({
        state: 'failed',
        error:
          'Someone else changed the same data at the same time. Try again. It was started 3 times, and nothing was saved.',
      })
    } finally {
      await pool.query('drop function conflict cascade')
    }
    expect(await live()).toEqual({ UA: MANY })
  })
})

test.each([
  ['an undo', (call: typeof watchdesk.admin) => undo(source_import, 'leave', call)],
  ['a change', (call: typeof watchdesk.admin) => change(REMOVE, call)],
])('%s whose owner loses the rights while it runs saves nothing', async (_, send) => {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
  const { body } = await send(await openSession(watchdesk, id))
  const release = await hold()
  await start()
  await waitForLocks(watchdesk.database.pool)
  await watchdesk.database.pool.query('update users set is_super_admin = false where id = $1', [id])
  await release()
  expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('is no longer a super admin'),
  })
  expect(await live()).toEqual({ UA: MANY })
  expect(await read(source_import)).toMatchObject({ can_undo: true, undoing: null })
})
