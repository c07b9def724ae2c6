import { errorText } from '@watchdesk/contract/errors'
import type { BulkChanged } from '@watchdesk/contract/operations/changes'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { afterWaiting, during, waitForLocks } from '../../../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../../../test/helpers/people.ts'
import { type Caller, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const change = (body: object, count: number, call = watchdesk.admin, records = 'users') =>
  call<BulkChanged>('POST', `/api/v1/${records}/change`, {
    ...body,
    expected_count: count,
    expected_changed_count: count,
  })
const moderators = (ids: number[]) => ({ action: 'update', set: { type: 'MODERATOR' }, ids })

async function some(count: number) {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const ids = []
  for (let n = 0; n < count; n += 1) ids.push((await insertUser(watchdesk, { workspace_id })).id)
  return { workspace_id, ids }
}

async function rowsOf(ids: number[]) {
  const { rows } = await sql<{ type: string; language: string; version: number; is_deleted: boolean }>`
    select type, language, version, deleted_at is not null as is_deleted from users where id = any(${ids}::int[]) order by id`.execute(
    watchdesk.database.db,
  )
  return rows
}

/** The version of each record is that of its last event, and what the events say it is. */
async function expectEvents(ids: number[]) {
  const { rows } = await sql<{ id: number; version: number; events: number; type: string; last: string | null }>`
    select users.id, version, users.type, (select count(*) from audit_events where entity = 'user' and entity_id = users.id) as events,
      (select changes -> 'type' ->> 'after' from audit_events where entity = 'user' and entity_id = users.id
        and changes ? 'type' order by audit_events.id desc limit 1) as last
    from users where id = any(${ids}::int[])`.execute(watchdesk.database.db)
  for (const { id, version, events, type, last } of rows) {
    expect([id, version, type]).toEqual([id, events + 1, last ?? 'STANDARD'])
  }
}

const undo = (id: number | null) =>
  watchdesk.admin<Operation>('POST', `/api/v1/imports/${id}/undo`, { changed: 'leave' })
const removing = (id: number) => `update workspaces set deleted_at = now(), version = 2 where id = ${id}`
const holding = (id: number | undefined) => `select from users where id = ${id} for update`

test('of two changes at once, the second one sees what the first one left', async () => {
  const { ids } = await some(4)
  const changes = await during(watchdesk.database.pool, holding(ids[1]), async () => {
    const started = [
      change(moderators(ids), 4),
      change({ action: 'update', set: { type: 'UNDERPRIVILEGED' }, ids: ids.toReversed() }, 4),
    ]
    await waitForLocks(watchdesk.database.pool, 2)
    return [...started, change({ action: 'delete', ids: ids.slice(2) }, 2)]
  })
  const done = changes.map(({ status }) => status)
  for (const status of done) expect([200, 409]).toContain(status)
  expect(done).toContain(200)
  await expectEvents(ids)
})

test('an edit that is saved first is not overwritten unseen: the change asks again', async () => {
  const { ids } = await some(3)
  const edit = `update users set type = 'MODERATOR', version = 2 where id = ${ids[1]}`
  const [answer] = await afterWaiting(watchdesk.database.pool, edit, () => change(moderators(ids), 3))
  expect(answer).toMatchObject({
    status: 409,
    body: { detail: '2 users would change now instead of 3. Check what will change and try again.' },
  })
  expect((await rowsOf(ids)).map(({ version }) => version)).toEqual([1, 2, 1])
})

test('an edit of another field that is saved first is kept', async () => {
  const { ids } = await some(3)
  const edit = `update users set language = 'UK', version = 2 where id = ${ids[1]}`
  const [answer] = await afterWaiting(watchdesk.database.pool, edit, () => change(moderators(ids), 3))
  expect(answer?.status).toBe(200)
  expect(await rowsOf(ids)).toMatchObject([
    { type: 'MODERATOR', version: 2 },
    { type: 'MODERATOR', language: 'UK', version: 3 },
    { type: 'MODERATOR', version: 2 },
  ])
})

test('an edit that comes second is checked against the new version', async () => {
  const { ids } = await some(3)
  const answers = await afterWaiting<{ status: number }>(
    watchdesk.database.pool,
    holding(ids[2]),
    () => change(moderators(ids), 3),
    () => watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { type: 'STANDARD' }, { 'if-match': '"1"' }),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 412])
  await expectEvents(ids)
})

test('users are not moved into a workspace that is deleted meanwhile', async () => {
  const { ids } = await some(2)
  const home = await watchdesk.createWorkspace()
  const [answer] = await afterWaiting(watchdesk.database.pool, removing(home.id), () =>
    change({ action: 'update', set: { workspace_id: home.id }, ids }, 2),
  )
  expect([answer?.status, errorText(answer?.body)]).toEqual([422, `Workspace ${home.id} does not exist.`])
  expect((await rowsOf(ids)).map(({ version }) => version)).toEqual([1, 1])
})

test('deleted users are not restored into a workspace that is deleted meanwhile', async () => {
  const { ids, workspace_id } = await some(2)
  const { body } = await change({ action: 'delete', ids }, 2)
  const [undone] = await afterWaiting(watchdesk.database.pool, removing(workspace_id), () => undo(body.import_id))
  expect(undone).toMatchObject({
    status: 409,
    body: { detail: 'All of its rows changed since or no longer exist, so nothing was undone.' },
  })
  expect((await rowsOf(ids)).map(({ is_deleted }) => is_deleted)).toEqual([true, true])
})

test('a change that a super admin may lose access by waits for others of the kind before it locks anything', async () => {
  const { ids, workspace_id } = await some(1)
  await watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { is_super_admin: true })
  const deactivated = { action: 'update', set: { status: 'DEACTIVATED' }, ids: [workspace_id] }
  const { pool } = watchdesk.database
  const answers = await during(pool, 'select pg_advisory_xact_lock(7238003)', async () => {
    const started = [change({ action: 'delete', ids }, 1), change(deactivated, 1, watchdesk.admin, 'workspaces')]
    await waitForLocks(pool, 2)
    await pool.query('select from users where id = $1 for update nowait', [ids[0]])
    await pool.query('select from workspaces where id = $1 for update nowait', [workspace_id])
    return started
  })
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

test('a user who is moved into a workspace while it is deleted with others is deleted with it', async () => {
  const { ids, workspace_id } = await some(2)
  const moved = await some(1)
  const [deleted] = await during(watchdesk.database.pool, holding(ids[1]), async () => {
    const deleting = change({ action: 'delete', ids: [workspace_id] }, 1, watchdesk.admin, 'workspaces')
    await waitForLocks(watchdesk.database.pool)
    expect((await watchdesk.admin('PATCH', `/api/v1/users/${moved.ids[0]}`, { workspace_id })).status).toBe(200)
    return [deleting]
  })
  expect(deleted.status).toBe(200)
  expect((await rowsOf([...ids, ...moved.ids])).map(({ is_deleted }) => is_deleted)).toEqual([true, true, true])
  const parts = await sql<{ count: number }>`select count(*) as count from audit_events where action = 'delete'
    and entity = 'user' and workspace_id = ${workspace_id}`.execute(watchdesk.database.db)
  expect(parts.rows[0]?.count).toBe(3)
})

test('a person who is demoted meanwhile changes nothing', async () => {
  const { ids } = await some(2)
  const { id, call } = await watchdesk.createPerson({ is_super_admin: true, is_admin: true })
  const [changed] = await during(watchdesk.database.pool, holding(ids[1]), async () => {
    const started = change({ action: 'delete', ids }, 2, call)
    await waitForLocks(watchdesk.database.pool)
    const demoted = await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { is_super_admin: false })
    expect(demoted.status).toBe(200)
    return [started]
  })
  expect(changed.status).toBe(403)
  expect((await rowsOf(ids)).map(({ version }) => version)).toEqual([1, 1])
})

test('two super admins who demote each other at once leave one of them', async () => {
  const person = () => watchdesk.createPerson({ is_super_admin: true })
  const [one, other] = [await person(), await person()]
  const demote = (id: number, call: Caller) =>
    change({ action: 'update', set: { is_super_admin: false }, ids: [id] }, 1, call)
  const done = await Promise.all([demote(other.id, one.call), demote(one.id, other.call)])
  expect(done.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('the last super admin who can sign in is kept: the clock may deactivate the workspace of the caller meanwhile', async () => {
  const { id: home } = await watchdesk.createWorkspace()
  const self = await insertUser(watchdesk, { workspace_id: home, is_super_admin: true })
  const call = await openSession(watchdesk, self.id)
  const closeHome = `select pg_advisory_xact_lock(7238003);
    update workspaces set status = 'DEACTIVATED' where id = ${home};
    delete from sessions where user_id = ${self.id}`
  const remove = () => change({ action: 'delete', ids: [1] }, 1, call)
  expect(await afterWaiting(watchdesk.database.pool, closeHome, remove)).toMatchObject([{ status: 401 }])
  expect((await watchdesk.admin('GET', '/api/v1/users/1')).status).toBe(200)
})

test('an email that somebody takes while users are restored leaves its former owner in the bin', async () => {
  const { ids, workspace_id } = await some(2)
  const { body } = await change({ action: 'delete', ids }, 2)
  const take = `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
    select ${workspace_id}, 'New', 'Owner', email, '-', false, false, 'STANDARD', '' from users where id = ${ids[0]}`
  const [undone] = await afterWaiting(watchdesk.database.pool, take, () => undo(body.import_id))
  expect([undone?.status, undone?.body.counts]).toEqual([200, { 'users restored': 1, 'left alone': 1 }])
  expect((await rowsOf(ids)).map(({ is_deleted }) => is_deleted)).toEqual([true, false])
})

test('nothing is lost when many add to the same at the same time', async () => {
  const ids: number[] = []
  for (let n = 0; n < 3; n += 1) ids.push((await watchdesk.createWorkspace()).id)
  const balances = async () => {
    const { rows } = await sql<{ balance: number }>`select (ai_quota ->> 'balance')::int as balance from workspaces
      where id = any(${ids}::int[]) order by id`.execute(watchdesk.database.db)
    return rows.map(({ balance }) => balance)
  }
  const before = await balances()
  const topUp = { action: 'update', set: { ai_quota: { top_up: 1 } }, ids }
  let done = 0
  const loop = async () => {
    for (let n = 0; n < 12; n += 1) {
      const { status } = await change(topUp, ids.length, watchdesk.admin, 'workspaces')
      expect([200, 409]).toContain(status)
      if (status === 200) done += 1
    }
  }
  await Promise.all([loop(), loop(), loop(), loop()])
  expect(done).toBeGreaterThan(12)
  expect(await balances()).toEqual(before.map((balance) => balance + done))
})

test('an undo leaves alone what somebody saves while it waits', async () => {
  const { ids } = await some(3)
  const { body } = await change(moderators(ids), 3)
  const edit = `update users set type = 'UNDERPRIVILEGED', version = version + 1 where id = ${ids[2]}`
  const answers = await afterWaiting<{ status: number }>(
    watchdesk.database.pool,
    edit,
    () => undo(body.import_id),
    // It holds the first two already, so this comes after its first attempt.
    () => watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { type: 'UNDERPRIVILEGED' }),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await rowsOf(ids)).map(({ type }) => type)).toEqual(['UNDERPRIVILEGED', 'STANDARD', 'UNDERPRIVILEGED'])
})

test('an undo does not put back a dashboard that somebody deletes meanwhile', async () => {
  const dashboard = await watchdesk.createDashboard('Soon gone')
  const { id } = await watchdesk.createWorkspace({ powerbi_dashboards: [dashboard] })
  const set = { powerbi_dashboards: { remove: [dashboard] } }
  const { body } = await change({ action: 'update', set, ids: [id] }, 1, watchdesk.admin, 'workspaces')
  const deleting = `update powerbi_dashboards set deleted_at = now(), version = version + 1 where id = ${dashboard}`
  const [undone] = await during(watchdesk.database.pool, deleting, async () => {
    const undoing = undo(body.import_id)
    await Promise.race([undoing, waitForLocks(watchdesk.database.pool)])
    return [undoing]
  })
  expect(undone?.status).toBe(409)
  const [event] = await watchdesk.eventsOf(`entity=workspace&entity_id=${id}&changes_only=true`)
  expect(event?.changes.powerbi_dashboards, 'what it shows').toEqual({ before: [dashboard], after: [] })
})
