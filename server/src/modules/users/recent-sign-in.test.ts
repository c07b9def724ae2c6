import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertUser, openSession, openToken } from '../../../test/helpers/people.ts'
import { type Caller, QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

type Account = { id: number; workspace_id: number }
let actor: Account
let call: Caller
let token: Caller
let superAdmin: Account
let auditor: Account
let ordinary: Account

beforeEach(async () => {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  actor = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
  call = await openSession(watchdesk, actor.id)
  token = await openToken(watchdesk, actor.id)
  superAdmin = await insertUser(watchdesk, { workspace_id, is_super_admin: true })
  auditor = await insertUser(watchdesk, { workspace_id, is_auditor: true })
  ordinary = await insertUser(watchdesk, { workspace_id: 1, is_admin: true })
  for (const { id } of [superAdmin, auditor, ordinary]) await openSession(watchdesk, id)
})
afterEach(() => sql`update sessions set proved_at = now()`.execute(watchdesk.database.db))

const edit = (user: Account, body: object) => (as: Caller) => as('PATCH', `/api/v1/users/${user.id}`, body)
const change = (user: Account, body: object) => (as: Caller) =>
  as('POST', '/api/v1/users/change', { ids: [user.id], expected_count: 1, expected_changed_count: 1, ...body })
const bin = (kind: string, id: number) => (as: Caller) =>
  as('POST', '/api/v1/bin/restore', {
    records: [
      { kind, id },
      { kind: 'user', id: ordinary.id },
    ],
  })
const withName = { first_name: 'Ada', last_name: 'Winter', password: 'staple battery 7', workspace_id: 1 }
const create = (body: object) => (as: Caller) =>
  as('POST', '/api/v1/users/', { ...withName, email: `${Math.random()}@example.com`, ...body })

const ENDED_TRIAL = { status: 'TRIAL', trial_end_date: '2020-01-01T00:00:00' }

const put =
  ({ workspace_id }: Account, body: object) =>
  (as: Caller) =>
    as('PUT', `/api/v1/workspaces/${workspace_id}`, { name: 'Home', ...QUOTAS, ...body })
const changeHome =
  ({ workspace_id }: Account, set: object) =>
  (as: Caller) =>
    as('POST', '/api/v1/workspaces/change', {
      action: 'update',
      set,
      ids: [workspace_id],
      expected_count: 1,
      expected_changed_count: 1,
    })

async function closedWorkspace() {
  return (await watchdesk.createWorkspace({ status: 'DEACTIVATED' })).id
}

async function lastEvent(entity: string, id: number) {
  const { rows } = await sql<{ id: number }>`select max(id) as id from audit_events
    where entity = ${entity} and entity_id = ${id}`.execute(watchdesk.database.db)
  return rows[0]?.id
}

type Try = (as: Caller) => Promise<{ status: number; headers: Record<string, unknown> }>

/** Prepared with a recent sign-in. */
const DANGEROUS: Record<string, () => Try | Promise<Try>> = {
  'make a super admin': () => edit(ordinary, { is_super_admin: true }),
  'unmake a super admin': () => edit(superAdmin, { is_super_admin: false, is_admin: true }),
  'make an auditor': () => edit(ordinary, { is_admin: false, is_auditor: true }),
  'unmake an auditor': () => edit(auditor, { is_auditor: false }),
  'create a super admin': () => create({ is_super_admin: true }),
  'create an auditor': () => create({ is_auditor: true }),
  'change the email of a super admin': () => edit(superAdmin, { email: `${Math.random()}@example.com` }),
  'change the password of a super admin': () => edit(superAdmin, { password: 'another staple 8' }),
  'delete a super admin': () => (as) => as('DELETE', `/api/v1/users/${superAdmin.id}`),
  'unlock a super admin': () => (as) => as('POST', `/api/v1/users/${superAdmin.id}/unlock`),
  'end the sessions of a super admin': () => (as) => as('POST', `/api/v1/users/${superAdmin.id}/end_sessions`, {}),
  'end the sessions of an auditor': () => (as) => as('POST', `/api/v1/users/${auditor.id}/end_sessions`, {}),
  'end the tokens of a super admin': () => (as) => as('POST', `/api/v1/users/${superAdmin.id}/end_tokens`, {}),
  'end the tokens of an auditor': () => (as) => as('POST', `/api/v1/users/${auditor.id}/end_tokens`, {}),
  'end the sessions of a super admin among many': () => change(superAdmin, { action: 'end_sessions' }),
  'end the sessions of an auditor among many': () => change(auditor, { action: 'end_sessions' }),
  'move a super admin to a deactivated workspace': async () =>
    edit(superAdmin, { workspace_id: await closedWorkspace() }),
  'move an auditor to a deactivated workspace among many': async () =>
    change(auditor, { action: 'update', set: { workspace_id: await closedWorkspace() } }),
  'deactivate the workspace of a super admin': () => put(superAdmin, { status: 'DEACTIVATED' }),
  'deactivate the workspace of an auditor among many': async () => {
    await call('DELETE', `/api/v1/users/${superAdmin.id}`)
    return changeHome(auditor, { status: 'DEACTIVATED' })
  },
  'reactivate the workspace of a super admin': async () => {
    await put(superAdmin, { status: 'DEACTIVATED' })(call)
    return put(superAdmin, { status: 'INTERNAL' })
  },
  'make the deactivated workspace of a super admin a trial': async () => {
    await put(superAdmin, { status: 'DEACTIVATED' })(call)
    return put(superAdmin, { status: 'TRIAL', trial_end_date: '2090-01-01T00:00:00' })
  },
  'reactivate the workspace of an auditor among many': async () => {
    await call('DELETE', `/api/v1/users/${superAdmin.id}`)
    await put(auditor, { status: 'DEACTIVATED' })(call)
    return changeHome(auditor, { status: 'INTERNAL' })
  },
  'undo that the workspace of a super admin was deactivated': async () => {
    const changed = await changeHome(superAdmin, { status: 'DEACTIVATED' })(call)
    return (as) => as('POST', `/api/v1/imports/${changed.body.import_id}/undo`, { changed: 'leave' })
  },
  'put back that the workspace of a super admin was active': async () => {
    await put(superAdmin, { status: 'INTERNAL' })(call)
    await put(superAdmin, { status: 'DEACTIVATED' })(call)
    const id = await lastEvent('workspace', superAdmin.workspace_id)
    return (as) => as('POST', `/api/v1/audit/${id}/put_back`, { side: 'before', fields: ['status'] })
  },
  'extend the ended trial of the workspace of a super admin': async () => {
    await put(superAdmin, ENDED_TRIAL)(call)
    return put(superAdmin, { status: 'TRIAL', trial_end_date: '2090-01-01T00:00:00' })
  },
  'extend the ended trial of the workspace of an auditor among many': async () => {
    await put(auditor, ENDED_TRIAL)(call)
    return changeHome(auditor, { extend_trial_days: 7 })
  },
  'let the trial of the workspace of a super admin end': () => put(superAdmin, ENDED_TRIAL),
  'let the trial of the workspace of an auditor end among many': () => changeHome(auditor, ENDED_TRIAL),
  'move a super admin back to a workspace that is deactivated since': async () => {
    const workspace_id = superAdmin.workspace_id
    const moved = await change(superAdmin, { action: 'update', set: { workspace_id: 1 } })(call)
    await put({ ...superAdmin, workspace_id }, { status: 'DEACTIVATED' })(call)
    return (as) => as('POST', `/api/v1/imports/${moved.body.import_id}/undo`, { changed: 'leave' })
  },
  'move a super admin to another workspace': () => edit(superAdmin, { workspace_id: 1 }),
  'move an auditor to another workspace among many': () =>
    change(auditor, { action: 'update', set: { workspace_id: 1 } }),
  'let the trial of the workspace of a super admin end sooner': async () => {
    await put(superAdmin, { status: 'TRIAL', trial_end_date: '2090-01-01T00:00:00' })(call)
    return put(superAdmin, ENDED_TRIAL)
  },
  'restore a super admin': async () => {
    await call('DELETE', `/api/v1/users/${superAdmin.id}`)
    return (as) => as('POST', `/api/v1/users/${superAdmin.id}/restore`)
  },
  'restore a super admin from the bin, with others': async () => {
    for (const { id } of [superAdmin, ordinary]) await call('DELETE', `/api/v1/users/${id}`)
    return bin('user', superAdmin.id)
  },
  'delete the workspace of a super admin': () => (as) => as('DELETE', `/api/v1/workspaces/${superAdmin.workspace_id}`),
  'restore the workspace of a super admin': async () => {
    await call('DELETE', `/api/v1/workspaces/${superAdmin.workspace_id}`)
    return (as) => as('POST', `/api/v1/workspaces/${superAdmin.workspace_id}/restore`)
  },
  'restore the workspace of a super admin from the bin, with others': async () => {
    await call('DELETE', `/api/v1/workspaces/${superAdmin.workspace_id}`)
    await call('DELETE', `/api/v1/users/${ordinary.id}`)
    return bin('workspace', superAdmin.workspace_id)
  },
  'make super admins among many': () => change(ordinary, { action: 'update', set: { is_super_admin: true } }),
  'delete a super admin among many': () => change(superAdmin, { action: 'delete' }),
  'delete the workspace of a super admin among many': () => (as) =>
    as('POST', '/api/v1/workspaces/change', {
      action: 'delete',
      ids: [superAdmin.workspace_id],
      expected_count: 1,
      expected_changed_count: 1,
    }),
  'undo a change that made super admins': async () => {
    const made = await change(ordinary, { action: 'update', set: { is_super_admin: true } })(call)
    return (as) => as('POST', `/api/v1/imports/${made.body.import_id}/undo`, { changed: 'leave' })
  },
  'put back that somebody was a super admin': async () => {
    await edit(superAdmin, { is_super_admin: false, is_admin: true })(call)
    const id = await lastEvent('user', superAdmin.id)
    return (as) => as('POST', `/api/v1/audit/${id}/put_back`, { side: 'before', fields: ['is_super_admin'] })
  },
}

test.each(Object.entries(DANGEROUS))('to %s, the last sign-in must be recent', async (_what, prepare) => {
  const attempt = await prepare()
  await forget()
  const before = await state()
  const refused = await attempt(call)
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    401,
    'Bearer error="insufficient_user_authentication", max_age="900"',
  ])
  expect((await attempt(token)).status).toBe(403)
  expect(await state()).toBe(before)
  // Signing in again is enough.
  expect((await attempt(await openSession(watchdesk, actor.id))).status).toBeLessThan(300)
})

const ORDINARY: Record<string, () => Try | Promise<Try>> = {
  'edit the name of a super admin': () => edit(superAdmin, { first_name: 'Hanna' }),
  'change the email and password of others': () =>
    edit(ordinary, { email: `${Math.random()}@example.com`, password: 'another staple 8' }),
  'extend the trial of a super admin': async () => {
    let year = 2090
    const extend = (as: Caller) => put(superAdmin, { status: 'TRIAL', trial_end_date: `${year++}-01-01T00:00:00` })(as)
    await extend(call)
    return extend
  },
  'rename the deactivated workspace of a super admin': async () => {
    await put(superAdmin, { status: 'DEACTIVATED' })(call)
    return put(superAdmin, { status: 'DEACTIVATED', name: 'Renamed' })
  },
  'reactivate a workspace without super admins and auditors': async () => {
    const workspace_id = await closedWorkspace()
    return put({ id: 0, workspace_id }, { status: 'INTERNAL' })
  },
  'create a user': () => create({ is_admin: true }),
  'delete a user': () => (as) => as('DELETE', `/api/v1/users/${ordinary.id}`),
  'unlock a user': () => (as) => as('POST', `/api/v1/users/${ordinary.id}/unlock`),
  'end the sessions of a user': () => (as) => as('POST', `/api/v1/users/${ordinary.id}/end_sessions`, {}),
  'end the tokens of a user': () => (as) => as('POST', `/api/v1/users/${ordinary.id}/end_tokens`, {}),
  'end the sessions of a user among many': () => change(ordinary, { action: 'end_sessions' }),
  'change a super admin among many': () => change(superAdmin, { action: 'update', set: { type: 'MODERATOR' } }),
}

test.each(Object.entries(ORDINARY))('to %s, an older sign-in or a token is enough', async (what, prepare) => {
  const attempt = await prepare()
  await forget()
  expect((await attempt(call)).status).toBeLessThan(300)
  if (!what.startsWith('delete')) expect((await attempt(token)).status).toBeLessThan(410)
})

async function forget() {
  await sql`update sessions set proved_at = now() - interval '16 minutes' where user_id = ${actor.id}`.execute(
    watchdesk.database.db,
  )
}

/** A fingerprint of users, workspaces and sessions, and of all events but those of rejected calls. */
async function state() {
  const { rows } = await sql`select (select sum(hashtextextended(users::text, 0)) from users) as users,
    (select sum(hashtextextended(workspaces::text, 0)) from workspaces) as workspaces,
    (select count(*) from sessions) as sessions, (select count(*) from api_tokens) as tokens,
    (select count(*) from audit_events where action <> 'denied') as events`.execute(watchdesk.database.db)
  return JSON.stringify(rows)
}
