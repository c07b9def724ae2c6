import type { AuditPage } from '@watchdesk/contract/activity'
import { expect, test } from 'vitest'
import { readOperations } from '../../../test/helpers/operations.ts'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { addressOf, validCall } from '../../../test/helpers/requests.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { purge } from '../../purge.ts'

const operations = await readOperations()
const forSuperAdmins = operations.filter(({ access }) => access === 'super_admin')
const watchdesk = useWatchdesk()

async function makeAdmin(account: { is_super_admin?: boolean } = {}) {
  const { id } = await insertUser(watchdesk, { workspace_id: 1, is_admin: true, ...account })
  return { id, call: await openSession(watchdesk, id) }
}

async function eventsOf(actor_id: number) {
  const { body } = await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?actor_id=${actor_id}`)
  return body.objects.map(({ action, entity, entity_id, changes }) => [action, entity, entity_id, changes])
}

const denied = (call: string, status = 403) => [
  'denied',
  'call',
  null,
  { call: { before: null, after: call }, status: { before: null, after: status } },
]

/** Freezes the clock of the table during the test. */
async function inOneMinute<Result>(work: () => Promise<Result>) {
  const { pool } = watchdesk.database
  const minute = async () => (await pool.query(`select date_trunc('minute', now())::text as now`)).rows[0].now
  for (;;) {
    const before = await minute()
    const result = await work()
    if ((await minute()) === before) return result
  }
}

test.each(forSuperAdmins)('$name creates an event when a workspace admin is rejected', async (operation) => {
  const { id, call } = await makeAdmin()
  const address = await addressOf(watchdesk, operation, 'own', 1)
  const { status } = await call(operation.method, address, ...validCall(operation))
  expect(status).toBe(403)
  const route = operation.name.replaceAll(/\{(\w+)\}/g, ':$1')
  expect(await eventsOf(id)).toEqual([denied(route)])
})

test('a rejection because of the target creates an event too, other errors do not', async () => {
  const { id, call } = await makeAdmin()
  const { id: other } = await watchdesk.createWorkspace()
  const body = { first_name: 'A', last_name: 'B', email: 'ab@example.com', password: 'staple battery 7' }
  expect((await call('POST', '/api/v1/users/', { ...body, workspace_id: other })).status).toBe(403)
  expect((await call('GET', '/api/v1/users/999999')).status).toBe(404)
  expect((await call('POST', '/api/v1/users/', {})).status).toBe(422)
  expect(await eventsOf(id)).toEqual([denied('POST /api/v1/users/')])
})

test('20 concurrent rejections create one event, and another one after a minute', async () => {
  const events = await inOneMinute(async () => {
    const { id, call } = await makeAdmin()
    const responses = await Promise.all(Array.from({ length: 20 }, () => call('GET', '/api/v1/config/website_config')))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([403]))
    const first = await eventsOf(id)
    await watchdesk.database.pool.query(`update audit_once set minute = minute - interval '1 minute'`)
    await call('GET', '/api/v1/config/website_config')
    return [first, await eventsOf(id)]
  })
  const event = denied('GET /api/v1/config/website_config')
  expect(events).toEqual([[event], [event, event]])
})

test('a rejection gets a response even if its event cannot be saved', async () => {
  const { pool } = watchdesk.database
  const { call } = await makeAdmin()
  await pool.query('alter table audit_once rename to gone')
  const { status } = await call('GET', '/api/v1/config/website_config')
  await pool.query('alter table gone rename to audit_once')
  expect(status).toBe(403)
})

test('a download creates an event for each sheet and format, once a minute', async () => {
  const operation = operations.find(({ name }) => name === 'GET /api/v1/sheets/{id}/file')
  if (!operation) throw new Error('no such call')
  const csv = await addressOf(watchdesk, operation, 'own', 1)
  const sheet = Number(csv.split('/').at(-2))
  const events = await inOneMinute(async () => {
    const { id, call } = await makeAdmin({ is_super_admin: true })
    for (const address of [csv, csv, csv.replace('csv', 'xlsx')]) {
      expect((await call('GET', address)).status).toBe(200)
    }
    expect((await call('GET', csv.replace('csv', 'pdf'))).status).toBe(422)
    return eventsOf(id)
  })
  const formats = events.map(([action, entity, id, changes]) => [action, entity, id, Object(changes).format.after])
  expect(formats).toEqual([
    ['download', 'sheet', sheet, 'xlsx'],
    ['download', 'sheet', sheet, 'csv'],
  ])
})

test('every call that returns a file creates an event', async () => {
  const files = watchdesk.app.printRoutes({ commonPrefix: false, includeMeta: false })
  expect(files).toContain('/file')
  const { body } = await watchdesk.admin('GET', '/api/openapi.json')
  const fileEndpoints = Object.entries(Object(body).paths).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).flatMap(([method, operation]) => {
      const [response] = Object.values(Object(operation).responses)
      const types = Object.keys(Object(response).content ?? {})
      return types.some((type) => type !== 'application/json') ? [`${method.toUpperCase()} ${path}`] : []
    }),
  )
  expect(fileEndpoints.sort()).toEqual([
    'GET /api/v1/audit/file',
    'GET /api/v1/imports/{id}/file',
    'GET /api/v1/sheets/{id}/file',
    'GET /api/v1/sources/file',
    'GET /api/v1/users/file',
    'GET /api/v1/workspaces/file',
  ])
})

test.each([
  `update audit_events set actor_name = 'Somebody else'`,
  'update audit_events set changes = default where false',
  'delete from audit_events',
  'truncate audit_events',
  'truncate audit_events, users cascade',
  'set session_replication_role = replica; delete from audit_events',
])('the events cannot be changed: %s', async (statement) => {
  const { pool } = watchdesk.database
  const state = async () =>
    (await pool.query('select count(*), md5(string_agg(e::text, null order by id)) from audit_events e')).rows
  const before = await state()
  const client = await pool.connect()
  await expect(client.query(statement)).rejects.toThrow('audit_events is append-only')
  client.release(true)
  expect(await state()).toEqual(before)
})

test('a purge removes old markers, and no event', async () => {
  const { pool, db } = watchdesk.database
  await pool.query(`update audit_once set minute = minute - interval '2 hours'`)
  const { rowCount } = await pool.query('select from audit_events')
  await purge(db, watchdesk.deps.env)
  expect((await pool.query('select from audit_once')).rowCount).toBe(0)
  expect((await pool.query('select from audit_events')).rowCount).toBe(rowCount)
})
