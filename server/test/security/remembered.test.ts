import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { NamedClient } from '../../src/db/named-client.ts'
import type { App } from '../../src/deps.ts'
import { isForSessions, isWrite, type Operation, readOperations } from '../helpers/operations.ts'
import { insertUser, openSession } from '../helpers/people.ts'
import { addressOf, validCall } from '../helpers/requests.ts'
import { type Caller, caller, PASSWORD, QUOTAS, useWatchdesk } from '../helpers/watchdesk.ts'

const REACH = { name: 'Reach', embed_link: 'https://bi.example.com/reach' }
const guarded = (await readOperations()).filter(
  (operation) => operation.access !== 'public' && isForSessions(operation),
)
const reads = guarded.filter((operation) => !isWrite(operation))

const BODY_LIMIT = 100_000
const watchdesk = useWatchdesk({
  BODY_LIMIT_BYTES: String(BODY_LIMIT),
  IMPORT_BODY_LIMIT_BYTES: String(BODY_LIMIT),
})
let home: number
let elsewhere: number
/** A second server, which has not seen any of the callers yet. */
let other: App

beforeAll(async () => {
  other = await buildApp(watchdesk.deps)
  home = (await watchdesk.createWorkspace({ name: 'Home' })).id
  elsewhere = (await watchdesk.createWorkspace({ name: 'Elsewhere' })).id
})

afterAll(() => other.close())

/** A super admin whom the server has just seen, so that it remembers the session and the rights. */
async function makeRemembered() {
  const { id } = await insertUser(watchdesk, { workspace_id: home, is_admin: true, is_super_admin: true })
  const call = await openSession(watchdesk, id)
  expect((await call('GET', '/api/v1/users/me')).status).toBe(200)
  return { id, call }
}

type Person = Awaited<ReturnType<typeof makeRemembered>>
type Change = (person: Person) => Promise<{ status: number }>

const ENDING: Record<string, Change> = {
  'was deleted': ({ id }) => watchdesk.admin('DELETE', `/api/v1/users/${id}`),
  'got another password': (person) => edit(person, { password: `${PASSWORD} anew` }),
  'logged out': ({ call }) => call('POST', '/api/v1/logout'),
}
const CHANGING: Record<string, Change> = {
  'was demoted': (person) => edit(person, { is_super_admin: false }),
  'was moved to another workspace': (person) => edit(person, { workspace_id: elsewhere }),
  'was renamed': (person) => edit(person, { first_name: 'Renamed' }),
}

function edit({ id }: Person, changes: object) {
  return watchdesk.admin('PATCH', `/api/v1/users/${id}`, changes)
}

async function request(call: Caller, operation: Operation, [body, headers]: ReturnType<typeof validCall>) {
  const address = await addressOf(watchdesk, operation, 'foreign', elsewhere)
  return call(operation.method, address, body, headers)
}

describe.each(guarded)('$name', (operation) => {
  test.each(Object.entries(ENDING))('is refused to a remembered caller who %s', async (_, end) => {
    const person = await makeRemembered()
    expect((await end(person)).status).toBeLessThan(300)
    expect((await request(person.call, operation, validCall(operation, home))).status).toBe(401)
  })

  test('does not tell a remembered caller who logged out what is wrong with the request', async () => {
    const person = await makeRemembered()
    await ENDING['logged out']?.(person)
    const body = operation.body ? { nonsense: true } : undefined
    const address = operation.path.replace(/\{\w+\}/, 'nonsense')
    expect((await person.call(operation.method, address, body)).status).toBe(401)
  })

  test('answers nothing else to a remembered caller who logged out, whatever is wrong with the body', async () => {
    for (const [body, type] of [
      ['{', 'application/json'],
      ['x', 'text/strange'],
      ['{}', 'multipart/form-data'],
      [' '.repeat(BODY_LIMIT + 1), 'application/json'],
    ] as const) {
      if (operation.method === 'GET' || (body.length > 100 && operation.form)) continue
      const person = await makeRemembered()
      await ENDING['logged out']?.(person)
      const address = await addressOf(watchdesk, operation, 'foreign', elsewhere)
      expect((await person.call(operation.method, address, body, { 'content-type': type })).status).toBe(401)
    }
  })
})

test('a call after the end of the session is not recorded as a rejected call of its user', async () => {
  const person = await makeRemembered()
  await ENDING['logged out']?.(person)
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

describe.each(reads)('$name', (operation) => {
  test.each(Object.entries(CHANGING))(
    'shows a caller who %s the same as a server that remembers nothing',
    async (_, change) => {
      const person = await makeRemembered()
      expect((await change(person)).status).toBe(200)
      const address = await addressOf(watchdesk, operation, 'foreign', elsewhere)
      const { status, body } = await person.call(operation.method, address)
      const fresh = await caller(other, person.call.token)(operation.method, address)
      expect([status, body]).toEqual([fresh.status, fresh.body])
    },
  )
})

test('a caller who was promoted is signed out at once, and a later session has the new rights', async () => {
  const { id } = await insertUser(watchdesk, { workspace_id: home, is_admin: true })
  const call = await openSession(watchdesk, id)
  expect((await call('GET', '/api/v1/powerbi_dashboards/')).status).toBe(403)
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { is_super_admin: true })
  expect((await call('GET', '/api/v1/powerbi_dashboards/')).status).toBe(401)
  const later = await openSession(watchdesk, id)
  expect((await later('GET', '/api/v1/powerbi_dashboards/')).status).toBe(200)
  expect((await later('GET', `/api/v1/workspaces/${elsewhere}`)).status).toBe(200)
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
