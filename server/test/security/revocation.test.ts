import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../../src/token.ts'
import { waitForLocks } from '../helpers/locks.ts'
import { isForSessions, isWrite, type Operation, readOperations } from '../helpers/operations.ts'
import { insertUser, openSession, openToken } from '../helpers/people.ts'
import { type RawResponse, rawRequest, sendHalf, sendRaw } from '../helpers/raw.ts'
import { addressOf, validCall } from '../helpers/requests.ts'
import { ORIGIN } from '../helpers/soft-passkey.ts'
import { PASSWORD, QUOTAS, useWatchdesk } from '../helpers/watchdesk.ts'

const ROLES = ['super admin', 'workspace admin'] as const
type Role = (typeof ROLES)[number]
type Person = { id: number; email: string; role: Role; token: string }

/** Logging out needs no rights, so revoking them has no effect on it. */
const NOT_MEANT = ['POST /api/v1/logout']
const writes = (await readOperations()).filter(
  (operation) =>
    isWrite(operation) &&
    isForSessions(operation) &&
    operation.access !== 'public' &&
    !NOT_MEANT.includes(operation.name),
)
const cases = writes.flatMap((operation) =>
  ROLES.filter((role) => role === operation.access.replace('_', ' ') || role === 'super admin').map((role) => ({
    operation,
    role,
    name: `${operation.name} of a ${role}`,
  })),
)
const withBody = cases.filter(({ operation }) => operation.body || operation.form)

const watchdesk = useWatchdesk()
let port: number
let home: number
let elsewhere: number
const counts = { 'held in its body': 0, 'held by a lock': 0, 'took effect': 0 }

beforeAll(async () => {
  port = Number(new URL(await watchdesk.app.listen({ host: '127.0.0.1', port: 0 })).port)
  home = (await watchdesk.createWorkspace({ name: 'Home' })).id
  elsewhere = (await watchdesk.createWorkspace({ name: 'Elsewhere' })).id
})

afterAll(() => console.log(`Writes by those whose rights were taken away meanwhile: ${JSON.stringify(counts)}`))

/** Revoked by an admin or by the person. */
const REVOKE: Record<string, (person: Person) => Promise<{ status: number }>> = {
  'is deleted': ({ id }) => watchdesk.admin('DELETE', `/api/v1/users/${id}`),
  'is demoted': (person) => edit(person, { [person.role === 'super admin' ? 'is_super_admin' : 'is_admin']: false }),
  'gets another password': (person) => edit(person, { password: `${PASSWORD} anew` }),
  'is moved to another workspace': (person) => edit(person, { workspace_id: elsewhere }),
  'belongs to a workspace that is deactivated': () =>
    watchdesk.admin('PUT', `/api/v1/workspaces/${home}`, { name: 'Home', ...QUOTAS, status: 'DEACTIVATED' }),
  'logs out': ({ token }) =>
    watchdesk.anonymous('POST', '/api/v1/logout', undefined, { authorization: `Bearer ${token}` }),
}

/** The same in a transaction that is open when the write arrives. */
const REVOKING: Record<string, (person: Person) => string> = {
  'is deleted': ({ id }) => `update users set deleted_at = now() where id = ${id}; ${endSessions(id)}`,
  'is demoted': ({ id, role }) =>
    role === 'super admin'
      ? `update users set is_super_admin = false where id = ${id}`
      : `update users set is_admin = false where id = ${id}; ${endSessions(id)}`,
  'gets another password': ({ id }) => `update users set password_hash = 'anew' where id = ${id}; ${endSessions(id)}`,
  'is moved to another workspace': ({ id }) => `update users set workspace_id = ${elsewhere} where id = ${id}`,
  'belongs to a workspace that is deactivated': ({ id }) =>
    `update workspaces set status = 'DEACTIVATED' where id = ${home}; ${endSessions(id)}`,
  'logs out': ({ id }) => endSessions(id),
}

function edit({ id }: Person, changes: object) {
  return watchdesk.admin('PATCH', `/api/v1/users/${id}`, changes)
}

function endSessions(id: number) {
  return `delete from sessions where user_id = ${id}`
}

describe.each(withBody)('$name', ({ operation, role }) => {
  test.each(Object.keys(REVOKE))('has no effect when that person %s while the body is being sent', async (way) => {
    const person = await makePerson(role)
    const request = sendHalf(port, await requestOf(operation, person))
    await isAdmitted(person)
    expect((await REVOKE[way]?.(person))?.status).toBeLessThan(300)
    const before = await stateBeside(person)
    await expectNoEffect(person, before, await request.sendRest())
    counts['held in its body'] += 1
  })
})

describe.each(cases)('$name', ({ operation, role }) => {
  test.each(Object.keys(REVOKING))('has no effect when that person %s during the write', async (way) => {
    const person = await makePerson(role)
    const bytes = await requestOf(operation, person)
    const before = await stateBeside(person)
    const client = await watchdesk.database.pool.connect()
    try {
      await client.query('begin')
      await client.query(REVOKING[way]?.(person) ?? '')
      const response = sendRaw(port, bytes)
      await waitForLocks(watchdesk.database.pool)
      await client.query('commit')
      await expectNoEffect(person, before, await response)
    } finally {
      client.release()
    }
    counts['held by a lock'] += 1
  })

  test('takes effect when nothing is revoked', async () => {
    const person = await makePerson(role)
    const bytes = await requestOf(operation, person)
    const before = await stateBeside(person)
    const { status, body } = await sendRaw(port, bytes)
    expect([status, body]).toEqual([operation.status, expect.anything()])
    expect(await stateBeside(person)).not.toBe(before)
  })
})

/** One way for each write, in turn: the checks of a token are the same as those of a session, but for its own end. */
const TOKEN_WAYS = [
  'is deleted',
  'is demoted',
  'is moved to another workspace',
  'belongs to a workspace that is deactivated',
  'deletes it',
]
const byToken = cases
  .filter(({ operation }) => operation.access !== 'account' && !operation.needsRecentSignIn)
  .map((each, index) => ({ ...each, way: TOKEN_WAYS[index % TOKEN_WAYS.length] ?? '' }))

test.each(byToken)('$name with a token has no effect when that person $way during the write', async (each) => {
  const { operation, role, way } = each
  const person = await makePerson(role)
  person.token = (await openToken(watchdesk, person.id)).token
  const bytes = await requestOf(operation, person)
  const before = await stateBeside(person)
  const client = await watchdesk.database.pool.connect()
  try {
    await client.query('begin')
    await client.query(REVOKING[way]?.(person) ?? `delete from api_tokens where user_id = ${person.id}`)
    const response = sendRaw(port, bytes)
    await waitForLocks(watchdesk.database.pool)
    await client.query('commit')
    await expectNoEffect(person, before, await response)
  } finally {
    client.release()
  }
})

test('every write is tried with six kinds of revocation', () => {
  const ways = Object.keys(REVOKE).length
  expect(counts).toEqual({
    'held in its body': withBody.length * ways,
    'held by a lock': cases.length * ways,
    'took effect': 0,
  })
  expect([ways, Object.keys(REVOKING)]).toEqual([6, Object.keys(REVOKE)])
  expect(writes.length).toBeGreaterThanOrEqual(19)
})

test('the audit log has these calls as rejected, for a missing session or a missing right', async () => {
  const { rows } = await watchdesk.database.pool.query(
    `select distinct (changes -> 'status' ->> 'after')::int as status from audit_events where action = 'denied' order by 1`,
  )
  expect(rows).toEqual([{ status: 401 }, { status: 403 }])
})

async function expectNoEffect(person: Person, before: string, { status, body }: RawResponse) {
  const isSame = (await stateBeside(person)) === before
  if (!isSame) counts['took effect'] += 1
  expect({ status, body, isSame }).toEqual({
    status: expect.toSatisfy((code) => code === 401 || code === 403),
    body: expect.stringContaining('detail'),
    isSame: true,
  })
}

/** Also an admin, so that a demoted super admin keeps the session and only loses the right. */
async function makePerson(role: Role): Promise<Person> {
  await watchdesk.database.pool.query('update workspaces set status = null where id = $1', [home])
  const account = { workspace_id: home, is_admin: true, is_super_admin: role === 'super admin' }
  const { id, email } = await insertUser(watchdesk, account)
  const { token } = await openSession(watchdesk, id, { seen_minutes_ago: 2 })
  return { id, email, role, token }
}

async function requestOf(operation: Operation, person: Person) {
  const isElsewhere = person.role === 'super admin' && operation.access !== 'account'
  const address = await addressOf(watchdesk, operation, isElsewhere ? 'foreign' : 'own', home, person.id)
  await makeEffective()
  const [body, headers] = validCall(operation, home)
  const isObject = operation.body !== undefined
  const own = operation.path.endsWith('source_import/sources') ? { email: person.email } : {}
  return rawRequest({
    method: operation.method,
    address,
    headers: [
      `Authorization: Bearer ${person.token}`,
      `Origin: ${ORIGIN}`,
      ...(body === undefined ? [] : [`Content-Type: ${headers?.['content-type'] ?? 'application/json'}`]),
    ],
    body: isObject ? JSON.stringify({ ...Object(body), ...own }) : Buffer.from((body as Buffer | undefined) ?? ''),
  })
}

/** A sheet to import from, which differs from what an edit of the config sets, and a run to continue. */
async function makeEffective() {
  const { pool } = watchdesk.database
  const { rows } = await pool.query(`insert into sheets (title, header, row_count)
    values ('Sources', '{source_url}', 1) returning id`)
  await pool.query(
    `insert into set_rows (set_id, number, cells) values ($1, 1, array['https://vk.com/source' || $1::int])`,
    [rows[0].id],
  )
  await pool.query(`update website_config set values = values || jsonb_build_object('sources_sheet_vk', $1::text)`, [
    rows[0].id,
  ])
  await pool.query(`update vectorization_runs set status = 'queued' where runner = 'airflow'`)
}

/** The call has passed its first check when the last-seen time of its session is updated. */
async function isAdmitted({ token }: Person) {
  await until(async () => {
    const seen = await sql`select from sessions where token_hash = ${hashToken(token)}
      and last_seen_at > now() - interval '1 minute'`.execute(watchdesk.database.db)
    return seen.rows.length === 1
  })
}

async function until(isSo: () => Promise<boolean>) {
  while (!(await isSo())) await wait(5)
}

/** A fingerprint of all stored data, except the person's row and workspace, which the revocation changes, and call counters. */
async function stateBeside({ id }: Person) {
  const { rows: tables } = await watchdesk.database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('sessions', 'login_failures', 'failed_sign_ins', 'list_totals', 'list_places', 'list_changes', 'schema_migrations', 'audit_once')
      order by 1`,
  )
  // The rejected call itself may be in the audit log.
  const compared: Record<string, RawBuilder<unknown>> = {
    users: sql`id <> ${id}`,
    workspaces: sql`id <> ${home}`,
    audit_events: sql`action <> 'denied'`,
    // Its last use.
    api_tokens: sql`user_id <> ${id}`,
  }
  const digests = tables.map(({ name }) => {
    return sql`select sum(hashtextextended(row::text, 0)) from ${sql.table(name)} as row
      where ${compared[name] ?? sql`true`}`
  })
  const { rows } = await sql`${sql.join(digests, sql` union all `)}`.execute(watchdesk.database.db)
  return JSON.stringify(rows)
}
