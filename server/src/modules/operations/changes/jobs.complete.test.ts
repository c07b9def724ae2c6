import type { Job } from '@watchdesk/contract/jobs'
import { ROWS_IN_A_CALL } from '@watchdesk/contract/limits'
import type { BulkChanged } from '@watchdesk/contract/operations/changes'
import type { Operation, OperationRows } from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { untilJob } from '../../../../test/helpers/jobs.ts'
import { during, waitForLocks } from '../../../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../../../test/helpers/people.ts'
import { type Caller, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { createDeps } from '../../../create-deps.ts'
import type { Runner } from '../../../jobs/runner.ts'
import { prepareDeps } from '../../../prepare-deps.ts'

const MANY = ROWS_IN_A_CALL + 1

const watchdesk = useWatchdesk()
let server: Runner | undefined
let workspace_id = 0

/** Just too many users for a call. */
beforeEach(async () => {
  workspace_id = (await watchdesk.createWorkspace()).id
  await sql`insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
    select ${workspace_id}::int, 'Kim', 'No ' || n, 'kim' || n || '.' || ${workspace_id}::int || '@example.com', '-', false, false,
      'STANDARD', '' from generate_series(1, ${MANY}::int) n`.execute(watchdesk.database.db)
})
afterEach(async () => {
  await server?.stop()
  server = undefined
})

/** Runner wait until a server is there. */
async function start() {
  const { deps } = await createDeps(await prepareDeps(watchdesk.deps.env), watchdesk.database)
  deps.jobs.start(() => {})
  server = deps.jobs
}

const MODERATORS = { action: 'update', set: { type: 'MODERATOR' } }
const change = (body: object, call: Caller = watchdesk.admin) =>
  call<BulkChanged>('POST', '/api/v1/users/change', {
    ...body,
    filter: { workspace_ids: [workspace_id] },
    expected_count: MANY,
    expected_changed_count: MANY,
  })
const read = async (id: number | null) => (await watchdesk.admin<Operation>('GET', `/api/v1/imports/${id}`)).body

/** How many users of this test there are, by type and whether they are deleted. */
async function types() {
  const { rows } = await sql<{ types: object }>`select json_object_agg(type, count) as types from (
    select case when deleted_at is null then type else 'deleted' end as type, count(*) from users
    where workspace_id = ${workspace_id} group by 1) as found`.execute(watchdesk.database.db)
  return rows[0]?.types
}

async function partsOf(import_id: number | null) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from audit_events where parent_id = (
    select id from audit_events where entity = 'users' and entity_id = ${import_id})`.execute(watchdesk.database.db)
  return rows[0]?.count
}

test('very many users are changed in the background, and that is undone in the background', async () => {
  const { status, body } = await change(MODERATORS)
  expect([status, body]).toEqual([
    200,
    { changed_count: MANY, refused_count: 0, import_id: expect.any(Number), job_id: expect.any(Number) },
  ])
  expect(await read(body.import_id)).toMatchObject({
    kind: 'users_change',
    state: 'queued',
    summary: 'Set the type of 20,001 users to MODERATOR',
  })
  expect(await types()).toEqual({ STANDARD: MANY })
  await start()
  expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({
    state: 'done',
    error: null,
    kind: 'users_change',
  })
  expect(await types()).toEqual({ MODERATOR: MANY })
  expect(await read(body.import_id)).toMatchObject({ state: 'done', counts: { changed: MANY }, can_undo: true })
  expect(await partsOf(body.import_id)).toBe(MANY)
  const rows = await watchdesk.admin<OperationRows>('GET', `/api/v1/imports/${body.import_id}/rows?offset=${MANY - 1}`)
  expect(rows.body).toMatchObject({ total: MANY, rows: [{ number: MANY }] })

  const undone = await watchdesk.admin<Operation>('POST', `/api/v1/imports/${body.import_id}/undo`, {
    changed: 'leave',
  })
  expect(undone.body.state).toBe('queued')
  expect(await untilJob(watchdesk, undone.body.job_id ?? 0)).toMatchObject({ state: 'done' })
  expect(await types()).toEqual({ STANDARD: MANY })
  expect(await partsOf(undone.body.id)).toBe(MANY)
})

test('a job that is cancelled while it runs changes nothing, and leaves no events', async () => {
  const client = await watchdesk.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('select from users where workspace_id = $1 order by id desc limit 1 for update', [workspace_id])
    const { body } = await change({ action: 'delete' })
    await start()
    await waitForLocks(watchdesk.database.pool)
    // All events are written, and most of the users are changed.
    const isFar = ({ progress }: Job) => (progress?.done ?? 0) > MANY / 2
    expect((await untilJob(watchdesk, body.job_id ?? 0, isFar)).progress).toMatchObject({
      step: 'storing',
      total: MANY,
    })
    await watchdesk.admin('POST', `/api/v1/jobs/${body.job_id}/cancel`)
    expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({ state: 'cancelled' })
    expect(await types()).toEqual({ STANDARD: MANY })
    expect(await read(body.import_id)).toMatchObject({ state: 'cancelled', can_undo: false })
    const events = await sql<{ action: string; changes: object }>`select action, changes from audit_events
      where entity = 'users' and entity_id = ${body.import_id}`.execute(watchdesk.database.db)
    expect(events.rows).toEqual([
      { action: 'cancel', changes: { change: { before: null, after: 'Delete 20,001 users' } } },
    ])
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('a job starts over if somebody changes one of its users meanwhile, and asks again if that changes the number', async () => {
  const edit = `update users set type = 'MODERATOR', version = version + 1
    where id = (select max(id) from users where workspace_id = ${workspace_id})`
  const [body] = await during(watchdesk.database.pool, edit, async () => {
    const changing = (await change(MODERATORS)).body
    await start()
    await waitForLocks(watchdesk.database.pool)
    return [changing]
  })
  expect(await untilJob(watchdesk, body.job_id ?? 0)).toMatchObject({
    state: 'failed',
    error: '20,000 users would change now instead of 20,001. Check what will change and try again.',
  })
  expect(await types()).toEqual({ STANDARD: MANY - 1, MODERATOR: 1 })
})

test('a job of a person who is no longer a super admin changes nothing', async () => {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
  const { body } = await change(MODERATORS, await openSession(watchdesk, id))
  await sql`update users set is_super_admin = false where id = ${id}`.execute(watchdesk.database.db)
  await start()
  const { state, error } = await untilJob(watchdesk, body.job_id ?? 0)
  expect([state, error]).toEqual(['failed', expect.stringContaining('no longer a super admin')])
  expect(await types()).toEqual({ STANDARD: MANY })
})

test('a workspace with very many users is deleted in the background with them, and restored so', async () => {
  const body = { action: 'delete', ids: [workspace_id], expected_count: 1, expected_changed_count: 1 }
  const { body: made } = await watchdesk.admin<BulkChanged>('POST', '/api/v1/workspaces/change', body)
  expect(made.job_id).not.toBeNull()
  await start()
  expect(await untilJob(watchdesk, made.job_id ?? 0)).toMatchObject({ state: 'done' })
  expect(await types()).toEqual({ deleted: MANY })
  const undone = await watchdesk.admin<Operation>('POST', `/api/v1/imports/${made.import_id}/undo`, {
    changed: 'leave',
  })
  expect(undone.body.state).toBe('queued')
  expect(await untilJob(watchdesk, undone.body.job_id ?? 0)).toMatchObject({ state: 'done', error: null })
  expect(await types()).toEqual({ STANDARD: MANY })
})
