import { beforeAll, expect, test } from 'vitest'
import { hashToken } from '../../../src/token.ts'
import { fingerprint, tablesOf } from '../../helpers/fingerprint.ts'
import { waitFor, waitForLocks } from '../../helpers/locks.ts'
import { isForSessions, isWrite, type Operation } from '../../helpers/operations.ts'
import type { Pair } from '../../helpers/pair.ts'
import { insertUser, openSession, openToken } from '../../helpers/people.ts'
import { type RawResponse, rawRequest, sendHalf, sendRaw } from '../../helpers/raw.ts'
import { addressOf, validCall } from '../../helpers/requests.ts'
import { ORIGIN } from '../../helpers/soft-passkey.ts'
import { PASSWORD, QUOTAS, useWatchdesk } from '../../helpers/watchdesk.ts'

const ROLES = ['super admin', 'workspace admin'] as const
type Role = (typeof ROLES)[number]
type Person = { id: number; email: string; role: Role; token: string }

/** Logging out needs no rights, so revoking them has no effect on it. */
const NOT_MEANT = ['POST /api/v1/logout']
const WAYS = [
  'is deleted',
  'is demoted',
  'gets another password',
  'is moved to another workspace',
  'belongs to a workspace that is deactivated',
  'logs out',
] as const
type Way = (typeof WAYS)[number]
const TOKEN_WAYS = [
  'is deleted',
  'is demoted',
  'is moved to another workspace',
  'belongs to a workspace that is deactivated',
  'deletes it',
] as const

type Attempt =
  | { moment: 'body' | 'write'; way: Way }
  | { moment: 'write with a token'; way: (typeof TOKEN_WAYS)[number] }

/** What is stored whenever somebody calls. */
const COUNTERS = ['sessions', 'failed_sign_ins', 'list_totals', 'list_changes', 'schema_migrations', 'audit_once']

/** Writes by users who lose their session or their rights meanwhile. */
export function sweepRevocation(operations: Operation[], pair: Pair) {
  const writes = operations.filter(
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
  const attempts = pair(cases, ({ operation }) => attemptsOn(operation)).flatMap(({ ways, ...each }) =>
    ways.map((attempt) => ({ ...each, ...attempt })),
  )

  const watchdesk = useWatchdesk({}, { isListening: true })
  let home: number
  let elsewhere: number
  let tables: Record<string, string>

  beforeAll(async () => {
    home = (await watchdesk.createWorkspace({ name: 'Home' })).id
    elsewhere = (await watchdesk.createWorkspace({ name: 'Elsewhere' })).id
    tables = {
      ...(await tablesOf(watchdesk, COUNTERS)),
      // The revocation itself changes the row of the person or the workspace.
      users: 'id <> $1',
      workspaces: 'id <> $2',
      // The rejected call itself may be in the audit log.
      audit_events: `action <> 'denied'`,
      // Their last use.
      api_tokens: 'user_id <> $1',
    }
  })

  /** Revoked by an admin or by the person. */
  const REVOKE: Record<Way, (person: Person) => Promise<{ status: number }>> = {
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
  const REVOKING: Record<Way | (typeof TOKEN_WAYS)[number], (person: Person) => string> = {
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
    'deletes it': ({ id }) => `delete from api_tokens where user_id = ${id}`,
  }

  test.each(attempts.filter(({ moment }) => moment === 'body'))(
    '$name has no effect when that person $way while the body is being sent',
    async ({ operation, role, way }) => {
      const person = await makePerson(role)
      const request = sendHalf(watchdesk.port, await requestOf(operation, person))
      await isAdmitted(person)
      expect((await REVOKE[way as Way](person)).status).toBeLessThan(300)
      const before = await stateBeside(person)
      await expectNoEffect(person, before, await request.sendRest())
    },
  )

  test.each(attempts.filter(({ moment }) => moment === 'write'))(
    '$name has no effect when that person $way during the write',
    async ({ operation, role, way }) => {
      await revokeDuringWrite(operation, await makePerson(role), way)
    },
  )

  // The checks of a token are the same as those of a session, but for its own end.
  test.each(attempts.filter(({ moment }) => moment === 'write with a token'))(
    '$name with a token has no effect when that person $way during the write',
    async ({ operation, role, way }) => {
      const person = await makePerson(role)
      person.token = (await openToken(watchdesk, person.id)).token
      await revokeDuringWrite(operation, person, way)
    },
  )

  test.each(cases)('$name takes effect when nothing is revoked', async ({ operation, role }) => {
    const person = await makePerson(role)
    const bytes = await requestOf(operation, person)
    const before = await stateBeside(person)
    const { status, body } = await sendRaw(watchdesk.port, bytes)
    expect([status, body]).toEqual([operation.status, expect.anything()])
    expect(await stateBeside(person)).not.toBe(before)
  })

  test('the audit log has these calls as rejected, for a missing session or a missing right', async () => {
    expect(writes.length).toBeGreaterThanOrEqual(19)
    const { rows } = await watchdesk.database.pool.query(
      `select distinct (changes -> 'status' ->> 'after')::int as status from audit_events where action = 'denied' order by 1`,
    )
    expect(rows).toEqual([{ status: 401 }, { status: 403 }])
  })

  function edit({ id }: Person, changes: object) {
    return watchdesk.admin('PATCH', `/api/v1/users/${id}`, changes)
  }

  async function revokeDuringWrite(operation: Operation, person: Person, way: keyof typeof REVOKING) {
    const bytes = await requestOf(operation, person)
    const before = await stateBeside(person)
    const client = await watchdesk.database.pool.connect()
    try {
      await client.query('begin')
      await client.query(REVOKING[way](person))
      const response = sendRaw(watchdesk.port, bytes)
      await waitForLocks(watchdesk.database.pool)
      await client.query('commit')
      await expectNoEffect(person, before, await response)
    } finally {
      client.release()
    }
  }

  async function expectNoEffect(person: Person, before: string, { status, body }: RawResponse) {
    expect({ status, body, isSame: (await stateBeside(person)) === before }).toEqual({
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
    await pool.query(`with
      sheet as (insert into sheets (title, header, row_count, rows_id)
        select 'Sources', '{source_url}', 1, count(*) + 1 from sheets returning id, rows_id),
      source as (insert into set_rows (set_id, number, cells)
        select rows_id, 1, array['https://vk.com/source' || id] from sheet),
      config as (update website_config set values = values || jsonb_build_object('sources_sheet_vk', id::text) from sheet)
      update vectorization_runs set status = 'queued' where runner = 'airflow' and status <> 'queued'`)
  }

  /** The call has passed its first check when the last-seen time of its session is updated. */
  async function isAdmitted({ token }: Person) {
    await waitFor(
      watchdesk.database.pool,
      `exists (select from sessions where token_hash = decode('${hashToken(token).toString('hex')}', 'hex')
        and last_seen_at > now() - interval '1 minute')`,
    )
  }

  /** Everything but the person's row and workspace, which the revocation changes, and call counters. */
  function stateBeside({ id }: Person) {
    return fingerprint(watchdesk, tables, [id, home])
  }
}

function endSessions(id: number) {
  return `delete from sessions where user_id = ${id}`
}

/** Every moment and way to revoke the rights to a call. */
function attemptsOn({ body, form, access, needsRecentSignIn }: Operation): Attempt[] {
  const byToken = access !== 'account' && !needsRecentSignIn
  return [
    ...(body || form ? WAYS.map((way) => ({ moment: 'body', way }) as const) : []),
    ...WAYS.map((way) => ({ moment: 'write', way }) as const),
    ...(byToken ? TOKEN_WAYS.map((way) => ({ moment: 'write with a token', way }) as const) : []),
  ]
}
