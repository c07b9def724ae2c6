import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { NamedClient } from '../../src/db/named-client.ts'
import { readOperations } from '../helpers/operations.ts'
import { inTurn } from '../helpers/pair.ts'
import { insertUser, openSession } from '../helpers/people.ts'
import { type Caller, QUOTAS } from '../helpers/watchdesk.ts'
import { sweepRemembered } from './sweeps/remembered.ts'

const REACH = { name: 'Reach', embed_link: 'https://bi.example.com/reach' }
const operations = await readOperations()

/**
 * A read, a list and a write of those that confirm the session with their first statement, a call that does so before, an
 * upload and a call without a body.
 */
const REPRESENTATIVES = [
  'GET /api/v1/users/{id}',
  'GET /api/v1/users/',
  'PATCH /api/v1/users/{id}',
  'POST /api/v1/source_import/sources',
  'PUT /api/v1/sheets/{id}/file',
  'DELETE /api/v1/workspaces/{id}',
]

const { watchdesk, workspaces, makeRemembered, edit, logOut } = sweepRemembered(
  operations,
  inTurn(operations, REPRESENTATIVES),
)

test('a call after the end of the session is not recorded as a rejected call of its user', async () => {
  const person = await makeRemembered()
  await logOut(person)
  expect((await person.call('GET', '/api/v1/users/')).status).toBe(401)
  const { rows } = await watchdesk.database.pool.query(
    `select action from audit_events where actor_id = $1 and action = 'denied'`,
    [person.id],
  )
  expect(rows).toEqual([])
})

test('a database that does not respond is not asked a second time for a remembered caller', async () => {
  const { call } = await makeRemembered()
  const query = vi.spyOn(NamedClient.prototype, 'query').mockImplementation((...args: unknown[]) => {
    const done = args.find((argument) => typeof argument === 'function') as (error: Error) => void
    process.nextTick(done, new Error('Query read timeout'))
  })
  try {
    expect((await call('GET', '/api/v1/users/1')).status).toBe(503)
    expect(query.mock.calls.length).toBe(1)
  } finally {
    query.mockRestore()
  }
})

describe('statements of a remembered caller', () => {
  const CALLS: Record<string, [statements: number, call: (call: Caller) => Promise<{ status: number }>]> = {
    'read one user': [1, (call) => call('GET', '/api/v1/users/1')],
    'read one workspace': [1, (call) => call('GET', '/api/v1/workspaces/1')],
    'list users': [1, (call) => call('GET', '/api/v1/users/')],
    'list users by email, page 2': [1, (call) => call('GET', '/api/v1/users/?sort=email&page=2&page_size=1')],
    'list workspaces': [1, (call) => call('GET', '/api/v1/workspaces/')],
    'list the audit log': [1, (call) => call('GET', '/api/v1/audit/')],
    'edit one user': [5, (call) => call('PATCH', '/api/v1/users/1', { first_name: randomUUID() })],
    'create a workspace': [4, (call) => call('POST', '/api/v1/workspaces/', { name: 'Counted', ...QUOTAS })],
    'create a dashboard': [4, (call) => call('POST', '/api/v1/powerbi_dashboards/', REACH)],
  }

  test.each(Object.entries(CALLS))('%s', async (_, [wanted, make]) => {
    const { call } = await makeRemembered()
    const query = vi.spyOn(NamedClient.prototype, 'query')
    try {
      expect((await make(call)).status).toBeLessThan(300)
      expect(query.mock.calls.length).toBe(wanted)
    } finally {
      query.mockRestore()
    }
  })
})

test('a caller who was promoted is signed out at once, and a later session has the new rights', async () => {
  const { id } = await insertUser(watchdesk, { workspace_id: workspaces.home, is_admin: true })
  const call = await openSession(watchdesk, id)
  expect((await call('GET', '/api/v1/powerbi_dashboards/')).status).toBe(403)
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { is_super_admin: true })
  expect((await call('GET', '/api/v1/powerbi_dashboards/')).status).toBe(401)
  const later = await openSession(watchdesk, id)
  expect((await later('GET', '/api/v1/powerbi_dashboards/')).status).toBe(200)
  expect((await later('GET', `/api/v1/workspaces/${workspaces.elsewhere}`)).status).toBe(200)
})

test('a change by a caller who was renamed is recorded under the new name', async () => {
  const person = await makeRemembered()
  await edit(person, { first_name: 'Renamed' })
  const { status, body } = await person.call('PATCH', `/api/v1/users/${person.id}`, { language: 'UK' })
  expect(status).toBe(200)
  const { rows } = await watchdesk.database.pool.query(
    'select actor_name from audit_events where actor_id = $1 order by id desc limit 1',
    [person.id],
  )
  expect(rows).toEqual([{ actor_name: `Renamed ${body.last_name}` }])
})
