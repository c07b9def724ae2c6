import type { BulkChanged } from '@watchdesk/contract/bulk-changes'
import type { Import } from '@watchdesk/contract/imports'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { waitForLocks } from '../../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

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

/** Runs the work while another transaction, which has done `first`, is open. */
async function during<Result>(first: (client: PoolClient) => Promise<unknown>, work: () => Promise<Result>) {
  const client = await watchdesk.database.pool.connect()
  await client.query('begin')
  try {
    await first(client)
    return await work()
  } finally {
    await client.query('commit')
    client.release()
  }
}

const holding = (id: number | undefined) => (client: PoolClient) =>
  client.query('select from users where id = $1 for update', [id])

test('of two changes at once, the second one sees what the first one left', async () => {
  const { ids } = await some(4)
  const changes = await during(holding(ids[1]), async () => {
    const started = [
      change(moderators(ids), 4),
      change({ action: 'update', set: { type: 'UNDERPRIVILEGED' }, ids: ids.toReversed() }, 4),
    ]
    await waitForLocks(watchdesk.database.pool, 2)
    return [...started, change({ action: 'delete', ids: ids.slice(2) }, 2)]
  })
  const done = (await Promise.all(changes)).map(({ status }) => status)
  for (const status of done) expect([200, 409]).toContain(status)
  expect(done).toContain(200)
  await expectEvents(ids)
})

test('an edit that is saved first is not overwritten unseen: the change asks again', async () => {
  const { ids } = await some(3)
  const edit = async (client: PoolClient) => {
    await client.query(`update users set type = 'MODERATOR', version = 2 where id = $1`, [ids[1]])
  }
  const changing = await during(edit, async () => {
    const started = change(moderators(ids), 3)
    await waitForLocks(watchdesk.database.pool)
    return [started]
  })
  const [{ status, body } = { status: 0, body: {} }] = await Promise.all(changing)
  expect([status, body]).toEqual([
    409,
    { detail: '2 users would change now instead of 3. Check what will change and try again.' },
  ])
  expect((await rowsOf(ids)).map(({ version }) => version)).toEqual([1, 2, 1])
})

test('an edit of another field that is saved first is kept', async () => {
  const { ids } = await some(3)
  const edit = async (client: PoolClient) => {
    await client.query(`update users set language = 'UK', version = 2 where id = $1`, [ids[1]])
  }
  const changing = await during(edit, async () => {
    const started = change(moderators(ids), 3)
    await waitForLocks(watchdesk.database.pool)
    return [started]
  })
  expect((await Promise.all(changing)).map(({ status }) => status)).toEqual([200])
  expect(await rowsOf(ids)).toMatchObject([
    { type: 'MODERATOR', version: 2 },
    { type: 'MODERATOR', language: 'UK', version: 3 },
    { type: 'MODERATOR', version: 2 },
  ])
})

test('an edit that comes second is checked against the new version', async () => {
  const { ids } = await some(3)
  const calls = await during(holding(ids[2]), async () => {
    const changing = change(moderators(ids), 3)
    await waitForLocks(watchdesk.database.pool, 1)
    const editing = watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { type: 'STANDARD' }, { 'if-match': '"1"' })
    await waitForLocks(watchdesk.database.pool, 2)
    return [changing, editing]
  })
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 412])
  await expectEvents(ids)
})

test('users are not moved into a workspace that is deleted meanwhile', async () => {
  const { ids } = await some(2)
  const home = await watchdesk.createWorkspace()
  const remove = (client: PoolClient) =>
    client.query('update workspaces set deleted_at = now(), version = 2 where id = $1', [home.id])
  const changing = await during(remove, async () => {
    const started = change({ action: 'update', set: { workspace_id: home.id }, ids }, 2)
    await waitForLocks(watchdesk.database.pool)
    return [started]
  })
  const [{ status, body } = { status: 0, body: {} }] = await Promise.all(changing)
  expect([status, Object(body).detail[0].msg]).toEqual([422, `Workspace ${home.id} does not exist.`])
  expect((await rowsOf(ids)).map(({ version }) => version)).toEqual([1, 1])
})

test('deleted users are not restored into a workspace that is deleted meanwhile', async () => {
  const { ids, workspace_id } = await some(2)
  const { body } = await change({ action: 'delete', ids }, 2)
  const remove = (client: PoolClient) =>
    client.query('update workspaces set deleted_at = now(), version = 2 where id = $1', [workspace_id])
  const calls = await during(remove, async () => {
    const undoing = watchdesk.admin<Import>('POST', `/api/v1/imports/${body.import_id}/undo`, { changed: 'leave' })
    await waitForLocks(watchdesk.database.pool)
    return [undoing]
  })
  const [{ status, body: refused } = { status: 0, body: undefined }] = await Promise.all(calls)
  expect([status, refused]).toEqual([
    409,
    { detail: 'All of its rows changed since or no longer exist, so nothing was undone.' },
  ])
  expect((await rowsOf(ids)).map(({ is_deleted }) => is_deleted)).toEqual([true, true])
})

test('a change that a super admin may lose access by waits for others of the kind before it locks anything', async () => {
  const { ids, workspace_id } = await some(1)
  await watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { is_super_admin: true })
  const deactivated = { action: 'update', set: { status: 'DEACTIVATED' }, ids: [workspace_id] }
  const hold = (client: PoolClient) => client.query('select pg_advisory_xact_lock(7238003)')
  const calls = await during(hold, async () => {
    const started = [change({ action: 'delete', ids }, 1), change(deactivated, 1, watchdesk.admin, 'workspaces')]
    await waitForLocks(watchdesk.database.pool, 2)
    const { pool } = watchdesk.database
    await pool.query('select from users where id = $1 for update nowait', [ids[0]])
    await pool.query('select from workspaces where id = $1 for update nowait', [workspace_id])
    return started
  })
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200])
})

test('a user who is moved into a workspace while it is deleted with others is deleted with it', async () => {
  const { ids, workspace_id } = await some(2)
  const moved = await some(1)
  const calls = await during(holding(ids[1]), async () => {
    const deleting = change({ action: 'delete', ids: [workspace_id] }, 1, watchdesk.admin, 'workspaces')
    await waitForLocks(watchdesk.database.pool)
    const moving = watchdesk.admin('PATCH', `/api/v1/users/${moved.ids[0]}`, { workspace_id })
    expect((await moving).status).toBe(200)
    return [deleting]
  })
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200])
  expect((await rowsOf([...ids, ...moved.ids])).map(({ is_deleted }) => is_deleted)).toEqual([true, true, true])
  const parts = await sql<{ count: number }>`select count(*) as count from audit_events where action = 'delete'
    and entity = 'user' and workspace_id = ${workspace_id}`.execute(watchdesk.database.db)
  expect(parts.rows[0]?.count).toBe(3)
})

test('a person who is demoted meanwhile changes nothing', async () => {
  const { ids } = await some(2)
  const user = await watchdesk.createUser({ is_super_admin: true, is_admin: true })
  const call = await watchdesk.signIn(user.email, PASSWORD)
  const changing = await during(holding(ids[1]), async () => {
    const started = change({ action: 'delete', ids }, 2, call)
    await waitForLocks(watchdesk.database.pool)
    const demoted = await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { is_super_admin: false })
    expect(demoted.status).toBe(200)
    return [started]
  })
  const [{ status } = { status: 0 }] = await Promise.all(changing)
  expect(status).toBe(403)
  expect((await rowsOf(ids)).map(({ version }) => version)).toEqual([1, 1])
})

test('two super admins who demote each other at once leave one of them', async () => {
  const people = [
    await watchdesk.createUser({ is_super_admin: true }),
    await watchdesk.createUser({ is_super_admin: true }),
  ]
  const calls = await Promise.all(people.map(({ email }) => watchdesk.signIn(email, PASSWORD)))
  const demote = (n: number) =>
    change({ action: 'update', set: { is_super_admin: false }, ids: [people[1 - n]?.id ?? 0] }, 1, calls[n])
  const done = await Promise.all([demote(0), demote(1)])
  expect(done.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('the last super admin who can sign in is kept: the clock may deactivate the workspace of the caller meanwhile', async () => {
  const { id: home } = await watchdesk.createWorkspace()
  const self = await insertUser(watchdesk, { workspace_id: home, is_super_admin: true })
  const call = await openSession(watchdesk, self.id)
  const closeHome = async (client: PoolClient) => {
    await client.query('select pg_advisory_xact_lock(7238003)')
    await client.query(`update workspaces set status = 'DEACTIVATED' where id = $1`, [home])
    await client.query('delete from sessions where user_id = $1', [self.id])
  }
  const changing = await during(closeHome, async () => {
    const started = change({ action: 'delete', ids: [1] }, 1, call)
    await waitForLocks(watchdesk.database.pool)
    return [started]
  })
  const [{ status } = { status: 0 }] = await Promise.all(changing)
  expect(status).toBe(401)
  expect((await watchdesk.admin('GET', '/api/v1/users/1')).status).toBe(200)
})

test('an email that somebody takes while users are restored leaves its former owner in the bin', async () => {
  const { ids, workspace_id } = await some(2)
  const { body } = await change({ action: 'delete', ids }, 2)
  const take = (client: PoolClient) =>
    client.query(
      `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
       select $2, 'New', 'Owner', email, '-', false, false, 'STANDARD', '' from users where id = $1`,
      [ids[0], workspace_id],
    )
  const calls = await during(take, async () => {
    const undoing = watchdesk.admin<Import>('POST', `/api/v1/imports/${body.import_id}/undo`, { changed: 'leave' })
    await waitForLocks(watchdesk.database.pool)
    return [undoing]
  })
  const [{ status, body: undone } = { status: 0, body: undefined }] = await Promise.all(calls)
  expect([status, undone?.counts]).toEqual([200, { 'users restored': 1, 'left alone': 1 }])
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
  const edit = (id: number | undefined) => (client: PoolClient) =>
    client.query(`update users set type = 'UNDERPRIVILEGED', version = version + 1 where id = $1`, [id])
  const calls = await during(edit(ids[2]), async () => {
    const undoing = watchdesk.admin<Import>('POST', `/api/v1/imports/${body.import_id}/undo`, { changed: 'leave' })
    await waitForLocks(watchdesk.database.pool)
    // It holds the first two already, so this comes after its first attempt.
    const editing = watchdesk.admin('PATCH', `/api/v1/users/${ids[0]}`, { type: 'UNDERPRIVILEGED' })
    await waitForLocks(watchdesk.database.pool, 2)
    return [undoing, editing]
  })
  const [undone, edited] = await Promise.all(calls)
  expect([undone?.status, edited?.status]).toEqual([200, 200])
  expect((await rowsOf(ids)).map(({ type }) => type)).toEqual(['UNDERPRIVILEGED', 'STANDARD', 'UNDERPRIVILEGED'])
})
