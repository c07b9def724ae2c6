import type { BinOutcome, BinRecord } from '@watchdesk/contract/bin'
import { type ErrorBody, errorText } from '@watchdesk/contract/errors'
import type { Page } from '@watchdesk/contract/page'
import type { User } from '@watchdesk/contract/users'
import { expect, test } from 'vitest'
import { afterWaiting } from '../../../test/helpers/locks.ts'
import { type Caller, PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { purge } from '../../purge.ts'

const watchdesk = useWatchdesk()

const remove = (path: string, id: number, call: Caller = watchdesk.admin) => call('DELETE', `/api/v1/${path}/${id}`)

async function restoreMany(records: { kind: string; id: number }[], call: Caller = watchdesk.admin) {
  const { status, body } = await call<{ outcomes: BinOutcome[] }>('POST', '/api/v1/bin/restore', { records })
  expect(status).toBe(200)
  return body.outcomes.map(({ problem }) => problem)
}

async function isLive(path: string, id: number) {
  return (await watchdesk.admin('GET', `/api/v1/${path}/${id}`)).status === 200
}

type Event = { id: number; parent_id: number | null; action: string; entity: string; entity_id: number | null }

async function eventsAfter(id: number) {
  const { rows } = await watchdesk.database.pool.query<Event & Record<string, unknown>>(
    'select * from audit_events where id > $1 order by id',
    [id],
  )
  return rows
}

async function lastEvent() {
  const { rows } = await watchdesk.database.pool.query<{ id: number }>('select max(id) as id from audit_events')
  return rows[0]?.id ?? 0
}

test('many are restored at once, the workspace before its user, as parts of one event', async () => {
  const workspace = await watchdesk.createWorkspace()
  const [before, along] = [
    await watchdesk.createUser({ workspace_id: workspace.id }),
    await watchdesk.createUser({ workspace_id: workspace.id }),
  ]
  const dashboard = { id: await watchdesk.createDashboard() }
  await remove('users', before.id)
  await remove('workspaces', workspace.id)
  await remove('powerbi_dashboards', dashboard.id)
  const last = await lastEvent()
  const records = [
    { kind: 'user', id: before.id },
    { kind: 'dashboard', id: dashboard.id },
    { kind: 'workspace', id: workspace.id },
  ]
  expect(await restoreMany(records)).toEqual([null, null, null])
  expect(await isLive('users', before.id)).toBe(true)
  expect(await isLive('users', along.id)).toBe(true)
  expect(await isLive('powerbi_dashboards', dashboard.id)).toBe(true)

  const [bin, ...parts] = await eventsAfter(last)
  expect(bin).toMatchObject({ action: 'restore', entity: 'bin', entity_id: null, parent_id: null, actor_id: 1 })
  expect(bin?.changes).toEqual({ records: { before: null, after: 3 } })
  const own = parts.filter(({ parent_id }) => parent_id === bin?.id)
  expect(own.map(({ action, entity, entity_id }) => `${action} ${entity} ${entity_id}`)).toEqual([
    `restore workspace ${workspace.id}`,
    `restore dashboard ${dashboard.id}`,
    `restore user ${before.id}`,
  ])
  const nested = parts.filter(({ parent_id }) => parent_id === own[0]?.id)
  expect(nested.map(({ entity_id }) => entity_id)).toEqual([along.id])
})

test('each record has its own outcome, and one that fails stops no other', async () => {
  const [taken, free, alone] = [
    await watchdesk.createUser({}),
    await watchdesk.createUser({}),
    await watchdesk.createUser({ workspace_id: (await watchdesk.createWorkspace()).id }),
  ]
  for (const user of [taken, free, alone]) await remove('users', user.id)
  await remove('workspaces', alone.workspace_id)
  await watchdesk.createUser({ email: taken.email })
  const users = [taken.id, alone.id, 2_000_000_000, free.id, free.id].map((id) => ({ kind: 'user', id }))
  expect(await restoreMany([...users, { kind: 'dashboard', id: 2_000_000_000 }])).toEqual([
    expect.stringContaining(`now has the email ${taken.email}.`),
    'Their workspace is deleted. Restore the workspace first.',
    'Deleted user not found.',
    null,
    null,
    'Deleted dashboard not found.',
  ])
  expect(await isLive('users', free.id)).toBe(true)
  expect(await isLive('users', taken.id)).toBe(false)
})

test('none, 101 or unknown records are rejected', async () => {
  const send = (records: unknown) => watchdesk.admin<ErrorBody>('POST', '/api/v1/bin/restore', { records })
  expect(errorText((await send([])).body)).toBe('Choose at least one record.')
  const many = Array.from({ length: 101 }, (_, index) => ({ kind: 'user', id: index + 1 }))
  expect(errorText((await send(many)).body)).toBe('records: At most 100 records at once.')
  expect((await send([{ kind: 'session', id: 1 }])).status).toBe(422)
})

test('a workspace admin restores users of their own workspace that no super admin deleted, and nothing else', async () => {
  const home = await watchdesk.createWorkspace()
  const { call } = await watchdesk.createPerson({ workspace_id: home.id, is_admin: true })
  const [own, bySuper] = [
    await watchdesk.createUser({ workspace_id: home.id }),
    await watchdesk.createUser({ workspace_id: home.id }),
  ]
  const foreign = await watchdesk.createUser({})
  const workspace = await watchdesk.createWorkspace()
  const dashboard = { id: await watchdesk.createDashboard() }
  await remove('users', own.id, call)
  await remove('users', bySuper.id)
  await remove('users', foreign.id)
  await remove('workspaces', workspace.id)
  await remove('powerbi_dashboards', dashboard.id)
  const last = await lastEvent()
  const records = [own, bySuper, foreign].map(({ id }) => ({ kind: 'user', id }))
  const others = [
    { kind: 'workspace', id: workspace.id },
    { kind: 'dashboard', id: dashboard.id },
  ]
  expect(await restoreMany([...records, ...others], call)).toEqual([
    null,
    'Only a super admin can restore this user.',
    'Deleted user not found.',
    'Deleted workspace not found.',
    'Deleted dashboard not found.',
  ])
  const events = await eventsAfter(last)
  expect(events.map(({ entity, workspace_id, is_nested }) => ({ entity, workspace_id, is_nested }))).toEqual([
    { entity: 'bin', workspace_id: home.id, is_nested: false },
    { entity: 'user', workspace_id: home.id, is_nested: true },
  ])
})

test('a user is restored under another email, which the event shows', async () => {
  const user = await watchdesk.createUser({})
  await remove('users', user.id)
  await watchdesk.createUser({ email: user.email })
  const restore = (email: string) => watchdesk.admin<User>('POST', `/api/v1/users/${user.id}/restore`, { email })
  expect(errorText((await restore(user.email)).body)).toContain(`now has the email ${user.email}.`)
  expect(errorText((await restore('nothing')).body)).toBe('Email must be a valid email address.')
  const email = `other.${user.email}`
  const { status, body } = await restore(email)
  expect([status, body.email, body.version]).toEqual([200, email, user.version + 2])
  const [event] = (await eventsAfter(0)).reverse()
  expect(event).toMatchObject({ action: 'restore', entity_id: user.id, record_detail: email })
  expect(event?.changes).toEqual({ email: { before: user.email, after: email } })
  await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { is_admin: true })
  expect((await watchdesk.signIn(email)).token).not.toBe('')
})

test('a call without a body, and one with an empty body, restore as before; null is not a body', async () => {
  for (const body of [undefined, {}]) {
    const user = await watchdesk.createUser({})
    await remove('users', user.id)
    const headers = { 'content-type': 'application/json' }
    const url = `/api/v1/users/${user.id}/restore`
    expect((await watchdesk.admin('POST', url, 'null', headers)).status).toBe(422)
    const restored = await watchdesk.admin<User>('POST', url, body)
    expect([restored.status, restored.body.email]).toEqual([200, user.email])
  }
})

test('the users of a workspace whose emails are taken are listed, and restored under other emails', async () => {
  const workspace = await watchdesk.createWorkspace()
  const users = []
  for (let index = 0; index < 3; index += 1) users.push(await watchdesk.createUser({ workspace_id: workspace.id }))
  const [first, second, third] = users as [User, User, User]
  const clashes = () => watchdesk.admin('GET', `/api/v1/bin/workspaces/${workspace.id}/clashes`)
  expect((await clashes()).status).toBe(404)
  await remove('workspaces', workspace.id)
  expect((await clashes()).body).toEqual({ objects: [], total: 0 })
  const holders = [
    await watchdesk.createUser({ email: first.email }),
    await watchdesk.createUser({ email: third.email }),
  ]
  expect((await clashes()).body).toEqual({
    objects: [first, third].map(({ id, email, first_name, last_name }, index) => ({
      id,
      email,
      name: `${first_name} ${last_name}`,
      taken_by: { id: holders[index]?.id, name: `Test ${holders[index]?.last_name}` },
    })),
    total: 2,
  })

  const restore = (emails: { id: number; email: string }[]) =>
    watchdesk.admin<ErrorBody>('POST', `/api/v1/workspaces/${workspace.id}/restore`, { emails })
  const errors = async (emails: { id: number; email: string }[]) => {
    const { status, body } = await restore(emails)
    return [status, ...(body.detail as { loc: unknown[] }[]).map(({ loc }) => loc.join('.'))]
  }
  const one = { id: first.id, email: 'first.again@example.com' }
  expect(await errors([one, { id: third.id, email: first.email }])).toEqual([422, 'body.emails.1.email'])
  expect(await errors([one, { id: third.id, email: second.email }])).toEqual([422, 'body.emails.1.email'])
  expect(await errors([one, { id: third.id, email: one.email }])).toEqual([
    422,
    'body.emails.0.email',
    'body.emails.1.email',
  ])
  expect(await errors([one, { id: 1, email: 'admin2@example.com' }])).toEqual([422, 'body.emails.1.id'])
  expect(await errors([one, one])).toEqual([422, 'body.emails'])
  expect((await restore([one])).status).toBe(409)
  expect(await isLive('workspaces', workspace.id)).toBe(false)

  const last = await lastEvent()
  expect((await restore([one, { id: third.id, email: 'third.again@example.com' }])).status).toBe(200)
  const emailsNow = await Promise.all(
    users.map(async ({ id }) => (await watchdesk.admin<User>('GET', `/api/v1/users/${id}`)).body.email),
  )
  expect(emailsNow).toEqual(['first.again@example.com', second.email, 'third.again@example.com'])
  const [event, ...parts] = await eventsAfter(last)
  expect(event).toMatchObject({ entity: 'workspace', changes: { users: { before: 0, after: 3 } } })
  expect(parts.map(({ changes }) => changes)).toEqual([
    { email: { before: first.email, after: 'first.again@example.com' } },
    {},
    { email: { before: third.email, after: 'third.again@example.com' } },
  ])
})

test('of a restore and the creation of a user with the same email, exactly one succeeds', async () => {
  for (let round = 0; round < 4; round += 1) {
    const user = await watchdesk.createUser({})
    await remove('users', user.id)
    const created = { first_name: 'New', last_name: 'One', email: user.email, password: PASSWORD, workspace_id: 1 }
    const [restored, created_] = await Promise.all([
      restoreMany([{ kind: 'user', id: user.id }]),
      watchdesk.admin('POST', '/api/v1/users/', created),
    ])
    const outcomes = [restored[0] === null, created_.status === 201]
    expect(outcomes.filter(Boolean)).toHaveLength(1)
  }
})

test('of two restores at the same time, one succeeds and the other finds nothing to restore', async () => {
  const workspace = await watchdesk.createWorkspace()
  const along = await watchdesk.createUser({ workspace_id: workspace.id })
  await remove('workspaces', workspace.id)
  const record = { kind: 'workspace', id: workspace.id }
  const outcomes = (await Promise.all([restoreMany([record]), restoreMany([record])])).flat()
  expect(outcomes.sort()).toEqual(['Deleted workspace not found.', null].sort())
  const { body } = await watchdesk.admin<User>('GET', `/api/v1/users/${along.id}`)
  expect(body.version).toBe(along.version + 2)
})

test('a workspace restored while it expires returns with all of its users', async () => {
  const { pool, db } = watchdesk.database
  const workspace = await watchdesk.createWorkspace()
  const along = await watchdesk.createUser({ workspace_id: workspace.id })
  await remove('workspaces', workspace.id)
  for (const table of ['users', 'workspaces'])
    await pool.query(
      `update ${table} set deleted_at = now() - interval '31 days' where ${table === 'users' ? 'workspace_id' : 'id'} = $1`,
      [workspace.id],
    )
  const answers = await afterWaiting<unknown>(
    pool,
    // The restore has locked the workspace, and waits at its audit event.
    'lock table audit_events in share mode',
    () => watchdesk.admin('POST', `/api/v1/workspaces/${workspace.id}/restore`),
    () => purge(db, watchdesk.deps.env),
  )
  expect(answers[0]).toMatchObject({ status: 200 })
  expect(await isLive('users', along.id)).toBe(true)
})

test('a record that expired is no longer restored once it is purged', async () => {
  const { pool, db } = watchdesk.database
  const user = await watchdesk.createUser({})
  await remove('users', user.id)
  await pool.query(`update users set deleted_at = now() - interval '31 days' where id = $1`, [user.id])
  await purge(db, watchdesk.deps.env)
  expect(await restoreMany([{ kind: 'user', id: user.id }])).toEqual(['Deleted user not found.'])
  const { body } = await watchdesk.admin<Page<BinRecord>>('GET', `/api/v1/bin/?search=${user.email}`)
  expect(body.total).toBe(0)
})
