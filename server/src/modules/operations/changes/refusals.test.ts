import { CHANGED_AT_ONCE } from '@watchdesk/contract/limits'
import type { BulkChanged, BulkPreview } from '@watchdesk/contract/operations/changes'
import type { User } from '@watchdesk/contract/users'
import { describe, expect, test } from 'vitest'
import { insertUser, openSession } from '../../../../test/helpers/people.ts'
import { PASSWORD, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import type { Actor } from '../../../actor.ts'
import { usersChange } from '../../users/change-kind.ts'
import { evaluate, planOf } from './evaluate.ts'

const watchdesk = useWatchdesk()
const URL = '/api/v1/users/change'

/** A caller, and another user of the workspace that the caller changes at the same time. */
async function people(account: object = {}) {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const self = await insertUser(watchdesk, { workspace_id, is_super_admin: true, ...account })
  const other = await insertUser(watchdesk, { workspace_id, is_admin: true, is_super_admin: true })
  return { self, other, ids: [self.id, other.id], call: await openSession(watchdesk, self.id) }
}

const OWN_RIGHTS = 'You cannot remove your own admin rights. Ask another admin to do it.'

describe.each([
  ['their own super admin rights', { is_admin: true }, { is_super_admin: false }, OWN_RIGHTS],
  ['all own rights', { is_admin: true }, { is_super_admin: false, is_admin: false }, OWN_RIGHTS],
  [
    'their own workspace',
    {},
    { workspace_id: 1 },
    'You cannot move your own account together with others. Edit it on its own page.',
  ],
])('an update of %s', (_what, account, set, reason) => {
  test('is refused for the caller, and made for the other one', async () => {
    const { self, other, ids, call } = await people(account)
    const body = { action: 'update', set, ids }
    const seen = await call<BulkPreview>('POST', `${URL}/preview`, body)
    expect(seen.body).toMatchObject({
      changed_count: 1,
      refused_count: 1,
      refused: [{ reason, count: 1, examples: [{ id: self.id, name: 'Kim Quick' }] }],
    })
    const expected = { expected_count: 2, expected_changed_count: 1 }
    const { body: changed } = await call<BulkChanged>('POST', URL, { ...body, ...expected })
    expect(changed).toMatchObject({ changed_count: 1, refused_count: 1 })
    expect((await watchdesk.admin('GET', `/api/v1/users/${self.id}`)).body).toMatchObject({ version: 1 })
    expect((await watchdesk.admin('GET', `/api/v1/users/${other.id}`)).body).toMatchObject({ version: 2, ...set })
  })
})

test('their own admin right can go as long as the super admin right stays', async () => {
  const { self, call } = await people({ is_admin: true })
  const body = { action: 'update', set: { is_admin: false }, ids: [self.id] }
  const changed = await call('POST', URL, { ...body, expected_count: 1, expected_changed_count: 1 })
  expect(changed.status).toBe(200)
  expect((await call('GET', '/api/v1/users/')).status).toBe(200)
})

test.each([
  ['delete', 'You cannot delete your own account. Ask another admin to do it.'],
  ['end_sessions', 'Your own sessions are kept. Sign out to end this one.'],
])('%s is refused for the caller', async (action, reason) => {
  const { self, other, ids, call } = await people()
  await openSession(watchdesk, other.id)
  const seen = await call<BulkPreview>('POST', `${URL}/preview`, { action, ids })
  expect(seen.body).toMatchObject({ changed_count: 1, refused: [{ reason, count: 1, examples: [{ id: self.id }] }] })
  const changed = await call<BulkChanged>('POST', URL, { action, ids, expected_count: 2, expected_changed_count: 1 })
  expect(changed.body).toMatchObject({ changed_count: 1, refused_count: 1 })
  expect((await call('GET', '/api/v1/users/')).status).toBe(200)
})

test('locked users are unlocked, but nobody unlocks themselves', async () => {
  const locked = await watchdesk.createUser({ is_super_admin: true })
  const self = await watchdesk.createUser({ is_super_admin: true })
  const call = await watchdesk.signIn(self.email, PASSWORD)
  for (const { email } of [locked, self]) {
    for (let n = 0; n < 10; n += 1) await watchdesk.anonymous('POST', '/api/v1/login', { email, password: 'wrong' })
  }
  const body = { action: 'unlock', ids: [locked.id, self.id, 1] }
  const seen = await call<BulkPreview>('POST', `${URL}/preview`, body)
  expect(seen.body).toMatchObject({
    changed_count: 1,
    unchanged_count: 1,
    refused: [{ reason: 'Only another admin can unlock your account.', count: 1 }],
  })
  expect((await call('POST', URL, { ...body, expected_count: 3, expected_changed_count: 1 })).status).toBe(200)
  expect((await watchdesk.anonymous('POST', '/api/v1/login', { email: locked.email, password: PASSWORD })).status).toBe(
    200,
  )
  expect(
    (await watchdesk.anonymous('POST', '/api/v1/login', { email: self.email, password: PASSWORD })).status,
  ).not.toBe(200)
})

test('a change that is refused for everyone changes nothing and leaves no import', async () => {
  const body = { action: 'delete', ids: [1], expected_count: 1, expected_changed_count: 0 }
  expect((await watchdesk.admin('POST', URL, body)).body).toEqual({
    changed_count: 0,
    refused_count: 1,
    import_id: null,
    job_id: null,
  })
})

const expected = { expected_count: 1, expected_changed_count: 1 }
const ids = [1]
const set = { type: 'STANDARD' }

test.each([
  ['users', { action: 'update', set, ...expected }],
  ['users', { action: 'update', set, ids, filter: {}, ...expected }],
  ['users', { action: 'update', set, ids: [], ...expected }],
  ['users', { action: 'update', set, ids: Array.from({ length: CHANGED_AT_ONCE + 1 }, (_, n) => n + 1), ...expected }],
  ['users', { action: 'update', ids, ...expected }],
  ['users', { action: 'update', set: {}, ids, ...expected }],
  ['users', { action: 'delete', set, ids, ...expected }],
  ['users', { action: 'restore', ids, ...expected }],
  ['users', { action: 'update', set: { email: 'x@example.com' }, ids, ...expected }],
  ['users', { action: 'update', set: { password: 'quite another 5' }, ids, ...expected }],
  ['users', { action: 'update', set: { workspace_id: 999_999 }, ids, ...expected }],
  ['users', { action: 'update', set, filter: { page: 1 }, ...expected }],
  ['users', { action: 'update', set, ids }],
  ['workspaces', { action: 'update', set: { trial_end_date: '2027-01-01T00:00:00' }, ids, ...expected }],
  ['workspaces', { action: 'update', set: { status: 'TRIAL', extend_trial_days: 1 }, ids, ...expected }],
  ['workspaces', { action: 'update', set: { extend_trial_days: 0 }, ids, ...expected }],
  ['workspaces', { action: 'update', set: { ai_quota: {} }, ids, ...expected }],
  ['workspaces', { action: 'update', set: { ai_quota: { balance: 1, fill: true } }, ids, ...expected }],
  ['workspaces', { action: 'update', set: { ai_quota: { limit: 1e13 } }, ids, ...expected }],
  ['workspaces', { action: 'update', set: { roles: {} }, ids, ...expected }],
  ['workspaces', { action: 'update', set: { roles: { add: ['search'], remove: ['search'] } }, ids, ...expected }],
  ['workspaces', { action: 'update', set: { name: 'Same' }, ids, ...expected }],
  ['powerbi_dashboards', { action: 'delete', filter: {}, ...expected }],
])('%s: %j is refused', async (records, body) => {
  expect((await watchdesk.admin('POST', `/api/v1/${records}/change`, body)).status).toBe(422)
})

test('workspace admins change nothing in bulk', async () => {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_admin: true })
  const call = await openSession(watchdesk, id)
  for (const records of ['users', 'workspaces', 'powerbi_dashboards']) {
    const body = { action: 'delete', ids: [1] }
    expect((await call('POST', `/api/v1/${records}/change/preview`, body)).status).toBe(403)
    expect((await call('POST', `/api/v1/${records}/change`, { ...body, ...expected })).status).toBe(403)
  }
})

test('only a few previews run at the same time, some wait, and further ones get 503 with what to do', async () => {
  const { previews } = watchdesk.deps.semaphores
  const held = await Promise.all(Array.from({ length: previews.limit }, () => previews.acquire()))
  const look = () =>
    watchdesk.admin('POST', '/api/v1/users/change/preview', { action: 'delete', filter: { search: 'nobody' } })
  const calls = Array.from({ length: 13 }, look)
  const refused = await Promise.race(calls)
  expect([refused.status, refused.body]).toEqual([
    503,
    { detail: 'Too many changes are being previewed. Try again in a moment.' },
  ])
  for (const release of held) release()
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(12)
})

test('people are moved to a deactivated workspace, and lose their access, although others cannot be', async () => {
  const { self, other, ids, call } = await people()
  const { id: workspace_id } = await watchdesk.createWorkspace({ status: 'DEACTIVATED' })
  const session = await openSession(watchdesk, other.id)
  const body = { action: 'update', set: { workspace_id }, ids, expected_count: 2, expected_changed_count: 1 }
  expect((await call<BulkChanged>('POST', URL, body)).body).toMatchObject({ changed_count: 1, refused_count: 1 })
  const homes = await Promise.all(ids.map((id) => watchdesk.admin<User>('GET', `/api/v1/users/${id}`)))
  expect(homes.map(({ body }) => body.workspace_id)).toEqual([self.workspace_id, workspace_id])
  await watchdesk.database.pool.query('update workspaces set status = null where id = $1', [workspace_id])
  expect((await session('GET', '/api/v1/users/me')).status).toBe(401)
})

test('who was deleted or no longer matches when they are evaluated is not changed', async () => {
  const { self, ids } = await people()
  const deleted = await insertUser(watchdesk, { workspace_id: self.workspace_id })
  const moved = await insertUser(watchdesk, { workspace_id: self.workspace_id })
  const { db } = watchdesk.database
  const actor = { id: 1, workspace_id: 1, seesEverything: true } as Actor
  const filter = { workspace_ids: [self.workspace_id] }
  const plan = await planOf(db, actor, usersChange, { action: 'delete', filter })
  expect(plan.ids).toEqual([...ids, deleted.id, moved.id])
  await watchdesk.admin('DELETE', `/api/v1/users/${deleted.id}`)
  await watchdesk.admin('PATCH', `/api/v1/users/${moved.id}`, { workspace_id: 1 })
  const evaluated = []
  for await (const { row } of evaluate(db, actor, usersChange, plan)) evaluated.push(row.id)
  expect(evaluated).toEqual(ids)
})
