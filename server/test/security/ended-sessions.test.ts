import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { NamedClient } from '../../src/db/named-client.ts'
import { isForSessions, readOperations } from '../helpers/operations.ts'
import { insertUser, openSession } from '../helpers/people.ts'
import { addressOf, validCall } from '../helpers/requests.ts'
import { type Caller, PASSWORD, QUOTAS, useWatchdesk } from '../helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const guarded = (await readOperations()).filter(
  (operation) => operation.access !== 'public' && isForSessions(operation),
)
let workspace_id: number
beforeAll(async () => {
  workspace_id = (await watchdesk.createWorkspace({ name: 'Home' })).id
})

/** A super admin who has just made a call. */
async function signedIn() {
  const { id } = await insertUser(watchdesk, { workspace_id, is_admin: true, is_super_admin: true })
  const call = await openSession(watchdesk, id)
  expect((await call('GET', '/api/v1/users/me')).status).toBe(200)
  return { id, call }
}

const edit = (id: number, changes: object) => watchdesk.admin('PATCH', `/api/v1/users/${id}`, changes)

describe('after the end of the session, the next call is rejected, whatever is wrong with it', () => {
  const people: Awaited<ReturnType<typeof signedIn>>[] = []
  beforeAll(async () => {
    const [deleted, changed, loggedOut] = [await signedIn(), await signedIn(), await signedIn()]
    await watchdesk.admin('DELETE', `/api/v1/users/${deleted.id}`)
    await edit(changed.id, { password: `${PASSWORD} anew` })
    await loggedOut.call('POST', '/api/v1/logout')
    people.push(deleted, changed, loggedOut)
  })

  test.each(guarded)('$name', async (operation) => {
    const address = await addressOf(watchdesk, operation, 'foreign', workspace_id)
    const nonsense = operation.path.replace(/\{\w+\}/, 'nonsense')
    const statuses = []
    for (const { call } of people) {
      statuses.push((await call(operation.method, address, ...validCall(operation, workspace_id))).status)
      statuses.push((await call(operation.method, nonsense, operation.body ? { nonsense: true } : undefined)).status)
      if (operation.method !== 'GET' && !operation.form)
        statuses.push((await call(operation.method, address, '{', { 'content-type': 'application/json' })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([401]))
  })
})

test('a call after the end of the session is not recorded as a rejected call of its user', async () => {
  const { id, call } = await signedIn()
  await call('POST', '/api/v1/logout')
  expect((await call('GET', '/api/v1/users/')).status).toBe(401)
  const { rows } = await watchdesk.database.pool.query(
    `select action from audit_events where actor_id = $1 and action = 'denied'`,
    [id],
  )
  expect(rows).toEqual([])
})

test('a caller who was promoted is signed out at once, and a later session has the new rights', async () => {
  const elsewhere = (await watchdesk.createWorkspace({ name: 'Elsewhere' })).id
  const { id } = await insertUser(watchdesk, { workspace_id, is_admin: true })
  const call = await openSession(watchdesk, id)
  expect((await call('GET', '/api/v1/powerbi_dashboards/')).status).toBe(403)
  await edit(id, { is_super_admin: true })
  expect((await call('GET', '/api/v1/powerbi_dashboards/')).status).toBe(401)
  const later = await openSession(watchdesk, id)
  expect((await later('GET', '/api/v1/powerbi_dashboards/')).status).toBe(200)
  expect((await later('GET', `/api/v1/workspaces/${elsewhere}`)).status).toBe(200)
})

test('a caller who was demoted or moved has the new rights in the next call', async () => {
  const elsewhere = (await watchdesk.createWorkspace({ name: 'New home' })).id
  const { id, call } = await signedIn()
  await edit(id, { is_super_admin: false })
  expect((await call('GET', '/api/v1/powerbi_dashboards/')).status).toBe(403)
  await edit(id, { workspace_id: elsewhere })
  const { body } = await call<{ objects: { id: number }[] }>('GET', '/api/v1/users/')
  expect(body.objects.map((user) => user.id)).toEqual([id])
})

test('a change by a caller who was renamed is recorded under the new name', async () => {
  const { id, call } = await signedIn()
  await edit(id, { first_name: 'Renamed' })
  const { status, body } = await call('PATCH', `/api/v1/users/${id}`, { language: 'UK' })
  expect(status).toBe(200)
  const { rows } = await watchdesk.database.pool.query(
    'select actor_name from audit_events where actor_id = $1 order by id desc limit 1',
    [id],
  )
  expect(rows).toEqual([{ actor_name: `Renamed ${body.last_name}` }])
})

describe('the number of statements stays small', () => {
  const reach = { name: 'Reach', embed_link: 'https://bi.example.com/reach' }
  const CALLS: Record<string, [statements: number, call: (call: Caller) => Promise<{ status: number }>]> = {
    'read one user': [2, (call) => call('GET', '/api/v1/users/1')],
    'read one workspace': [2, (call) => call('GET', '/api/v1/workspaces/1')],
    'list users': [2, (call) => call('GET', '/api/v1/users/')],
    'list users by email, page 2': [3, (call) => call('GET', '/api/v1/users/?sort=email&page=2&page_size=1')],
    'list workspaces': [2, (call) => call('GET', '/api/v1/workspaces/')],
    'list the audit log': [2, (call) => call('GET', '/api/v1/audit/')],
    'edit one user': [5, (call) => call('PATCH', '/api/v1/users/1', { first_name: randomUUID() })],
    'create a workspace': [5, (call) => call('POST', '/api/v1/workspaces/', { name: 'Counted', ...QUOTAS })],
    'create a dashboard': [5, (call) => call('POST', '/api/v1/powerbi_dashboards/', reach)],
  }

  test.each(Object.entries(CALLS))('%s', async (_, [wanted, make]) => {
    const { call } = await signedIn()
    const query = vi.spyOn(NamedClient.prototype, 'query')
    try {
      expect((await make(call)).status).toBeLessThan(300)
      expect(query.mock.calls.length).toBe(wanted)
    } finally {
      query.mockRestore()
    }
  })
})
