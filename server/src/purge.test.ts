import { createHash } from 'node:crypto'
import type { AuditPage } from '@watchdesk/contract/activity'
import { beforeAll, expect, inject, test } from 'vitest'
import { openSession } from '../test/helpers/people.ts'
import { useWatchdesk } from '../test/helpers/watchdesk.ts'
import { connect } from './db/open.ts'
import { purge, purgeEvents } from './purge.ts'

const watchdesk = useWatchdesk()

async function ids(table: 'users' | 'workspaces' | 'powerbi_dashboards') {
  const { rows } = await watchdesk.database.pool.query<{ id: number }>(`select id from ${table} order by id`)
  return rows.map(({ id }) => id)
}

async function deletedSince(table: string, id: number, interval: string) {
  await watchdesk.database.pool.query(`update ${table} set deleted_at = now() - $1::interval where id = $2`, [
    interval,
    id,
  ])
}

function hashOf(email: string) {
  return createHash('sha256').update(email).digest()
}

const run = () => purge(watchdesk.database.db, watchdesk.deps.env)

beforeAll(run)

test('a user deleted 30 days ago is removed, one deleted a minute later can still be restored', async () => {
  const [old, recent, live] = [
    await watchdesk.createUser({}),
    await watchdesk.createUser({}),
    await watchdesk.createUser({}),
  ]
  await deletedSince('users', old.id, '30 days')
  await deletedSince('users', recent.id, '29 days 23 hours 59 minutes')
  await run()
  expect(await ids('users')).not.toContain(old.id)
  expect(await ids('users')).toEqual(expect.arrayContaining([recent.id, live.id]))
  expect((await watchdesk.admin('POST', `/api/v1/users/${old.id}/restore`)).status).toBe(404)
  expect((await watchdesk.admin('POST', `/api/v1/users/${recent.id}/restore`)).status).toBe(200)
})

test('a workspace is removed with the users that were deleted before it and with it', async () => {
  const { id } = await watchdesk.createWorkspace()
  const before = await watchdesk.createUser({ workspace_id: id })
  const along = await watchdesk.createUser({ workspace_id: id })
  await watchdesk.admin('DELETE', `/api/v1/users/${before.id}`)
  await watchdesk.admin('DELETE', `/api/v1/workspaces/${id}`)
  await run()
  expect(await ids('workspaces')).toContain(id)
  for (const user of [before, along]) await deletedSince('users', user.id, '31 days')
  await deletedSince('workspaces', id, '31 days')
  await run()
  expect(await ids('workspaces')).not.toContain(id)
  expect(await ids('users')).not.toContain(before.id)
  expect(await ids('users')).not.toContain(along.id)
})

test('a dashboard is removed from its workspaces, which stay', async () => {
  const dashboard = await watchdesk.createDashboard()
  const workspace = await watchdesk.createWorkspace({ powerbi_dashboards: [dashboard] })
  await deletedSince('powerbi_dashboards', dashboard, '31 days')
  await run()
  expect(await ids('powerbi_dashboards')).not.toContain(dashboard)
  const read = await watchdesk.admin('GET', `/api/v1/workspaces/${workspace.id}`)
  expect(read.body).toMatchObject({ config: { powerbi_dashboards: [] } })
})

test('what was removed stays in the audit log, as one event with a part for each record', async () => {
  const { id, name } = await watchdesk.createWorkspace()
  const user = await watchdesk.createUser({ workspace_id: id, first_name: 'Former', last_name: 'Friend' })
  await watchdesk.admin('DELETE', `/api/v1/workspaces/${id}`)
  await deletedSince('users', user.id, '31 days')
  await deletedSince('workspaces', id, '31 days')
  const events = async () =>
    (await watchdesk.database.pool.query(`select * from audit_events where action = 'purge' order by id`)).rows
  const before = (await events()).length
  await run()
  await run()
  const [purged, ...parts] = (await events()).slice(before)
  const changes = { users: { before: 1, after: 0 }, workspaces: { before: 1, after: 0 } }
  expect(purged).toMatchObject({ entity: 'bin', actor_id: null, actor_name: 'Watchdesk', parent_id: null, changes })
  const part = { parent_id: purged.id, workspace_id: id }
  expect(parts).toMatchObject([
    { ...part, entity: 'user', entity_id: user.id, record_name: 'Former Friend', record_detail: user.email },
    { ...part, entity: 'workspace', entity_id: id, record_name: name },
  ])
})

test('the audit log keeps the events of a removed user, under their name', async () => {
  const user = await watchdesk.createUser({ first_name: 'Gone', last_name: 'Person', is_admin: true })
  await watchdesk.signIn(user.email)
  await deletedSince('users', user.id, '31 days')
  await run()
  const { body } = await watchdesk.admin('GET', `/api/v1/audit/?actor_id=${user.id}`)
  expect(body).toMatchObject({
    objects: [{ action: 'login', actor: { id: user.id, name: 'Gone Person' }, record: { state: 'gone' } }],
    next: null,
  })
})

test('events are removed after the days that they are kept, with their parts, and this is recorded', async () => {
  const { pool, db } = watchdesk.database
  const insert = `insert into audit_events (at, action, entity, record_name, parent_id, changes)
    values (now() - $1::interval, 'delete', 'workspace', $2, $3, '{}') returning id`
  const parent = (await pool.query(insert, ['41 days', 'Old', null])).rows[0].id
  const part = (await pool.query(insert, ['41 days', 'Old part', parent])).rows[0].id
  await pool.query(insert, ['41 days', 'Old part of a part', part])
  await pool.query(insert, ['39 days', 'Kept', null])
  await purgeEvents(db, 40)
  const { rows } = await pool.query(`select record_name from audit_events where record_name like any('{Old%,Kept}')`)
  expect(rows).toEqual([{ record_name: 'Kept' }])
  const latest = async () => (await watchdesk.admin<AuditPage>('GET', '/api/v1/audit/?entity=activity')).body.objects
  const recorded = {
    action: 'purge',
    actor: { id: null, name: 'Watchdesk' },
    changes: { events: { before: 3, after: 0 }, days: { before: null, after: 40 } },
  }
  expect(await latest()).toMatchObject([recorded])
  await purgeEvents(db, 40)
  expect(await latest()).toHaveLength(1)
})

test('expired sessions and old counters are removed, the others stay', async () => {
  const { pool } = watchdesk.database
  const ended = await watchdesk.createUser({ is_admin: true })
  await watchdesk.signIn(ended.email)
  const going = await watchdesk.createPerson()
  await pool.query(`update sessions set created_at = now() - interval '24 hours 1 second' where user_id = $1`, [
    ended.id,
  ])
  await pool.query(`update failed_sign_ins set changed_at = now() - interval '61 minutes' where email_hash = $1`, [
    hashOf(ended.email),
  ])
  await run()
  const sessions = await pool.query('select from sessions where user_id = $1', [ended.id])
  const counters = await pool.query<{ email_hash: Buffer }>('select email_hash from failed_sign_ins')
  expect(sessions.rows).toHaveLength(0)
  const counted = counters.rows.map(({ email_hash }) => email_hash)
  expect(counted).not.toContainEqual(hashOf(ended.email))
  expect(counted).toContainEqual(hashOf(going.email))
  expect((await going.call('GET', '/api/v1/users/me')).status).toBe(200)
})

test('multiple replicas can purge at the same time', async () => {
  const { pool } = watchdesk.database
  const { id } = await watchdesk.createWorkspace()
  await pool.query(
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language, deleted_at)
     select $1, 'Old', 'User', 'old' || number, '-', false, false, 'STANDARD', '', now() - interval '31 days'
     from generate_series(1, 200) number`,
    [id],
  )
  await deletedSince('workspaces', id, '31 days')
  await Promise.all([run(), run(), run()])
  expect(await ids('workspaces')).not.toContain(id)
})

test('a purge may take longer than the statement timeout', async () => {
  const { pool } = watchdesk.database
  const { database } = (await pool.query('select current_database() as database')).rows[0]
  const hasty = connect({ ...inject('postgres'), database }, { DATABASE_POOL_SIZE: 2, STATEMENT_TIMEOUT_MS: 1000 })
  const { id } = await watchdesk.createUser({})
  await deletedSince('users', id, '31 days')
  await pool.query(`create function take_time() returns trigger language plpgsql as
    $$ begin perform pg_sleep(1.2); return null; end $$;
    create trigger take_time before delete on users for each statement execute function take_time()`)
  try {
    await purge(hasty.db, watchdesk.deps.env)
    expect(await ids('users')).not.toContain(id)
  } finally {
    await pool.query('drop function take_time cascade')
    await hasty.close()
  }
})

test('jobs that ended a month ago are removed, and files of jobs that have ended', async () => {
  const { pool } = watchdesk.database
  await pool.query(`insert into jobs (kind, state, input, created_by, created_by_name, finished_at)
    values ('source_import', 'done', '{}', 1, 'old', now() - interval '31 days'),
      ('source_import', 'failed', '{}', 1, 'recent', now() - interval '29 days'),
      ('source_import', 'queued', '{}', 1, 'waiting', null)`)
  await pool.query(`insert into job_files select id, 0, '' from jobs`)
  await run()
  const { rows } =
    await pool.query(`select created_by_name, (select count(*)::int from job_files where job_id = id) as files
    from jobs order by id`)
  expect(rows).toEqual([
    { created_by_name: 'recent', files: 0 },
    { created_by_name: 'waiting', files: 1 },
  ])
})

test('sign-ins that were not finished and challenges of passkeys are removed once they have expired', async () => {
  const { pool } = watchdesk.database
  await pool.query(`insert into pending_sign_ins (token_hash, kind, user_id, expires_at)
    values ('old', 'set_up', 1, now() - interval '1 second'),
      ('new', 'set_up', 1, now() + interval '1 minute')`)
  await pool.query(`insert into passkey_challenges (challenge, purpose, expires_at)
    values ('old', 'sign_in', now() - interval '1 second'), ('new', 'sign_in', now() + interval '1 minute')`)
  await run()
  const { rows } = await pool.query(`select encode(token_hash, 'escape') as left from pending_sign_ins
    union all select challenge from passkey_challenges`)
  expect(rows).toEqual([{ left: 'new' }, { left: 'new' }])
})

test('sessions that ended by themselves are removed, each with an event, also if several servers purge at once', async () => {
  const { id, email } = await watchdesk.createUser({ is_admin: true })
  const kept = await openSession(watchdesk, id, { created_minutes_ago: 1430, seen_minutes_ago: 470 })
  await openSession(watchdesk, id, { created_minutes_ago: 1441 })
  await openSession(watchdesk, id, { seen_minutes_ago: 481 })
  await Promise.all([run(), run(), run()])
  const { pool } = watchdesk.database
  const left = await pool.query('select from sessions where user_id = $1', [id])
  expect(left.rowCount).toBe(1)
  expect((await kept('GET', '/api/v1/users/me')).status).toBe(200)
  const { body } = await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?entity=session&entity_id=${id}`)
  const expired = { action: 'expire', actor: { id: null, name: 'Watchdesk' }, record: { detail: email } }
  expect(body.objects).toMatchObject([expired, expired])
})

test('many sessions that ended are removed in batches', async () => {
  const { id } = await watchdesk.createUser({ is_admin: true })
  const { pool } = watchdesk.database
  await pool.query(
    `insert into sessions (token_hash, user_id, created_at)
      select sha256(n::text::bytea), $1, now() - interval '3 days' from generate_series(1, 1200) as n`,
    [id],
  )
  await run()
  const { rows } = await pool.query(
    `select (select count(*)::int from sessions where user_id = $1) as left,
      (select count(*)::int from audit_events where action = 'expire' and entity_id = $1) as events`,
    [id],
  )
  expect(rows).toEqual([{ left: 0, events: 1200 }])
})
