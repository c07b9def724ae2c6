import { type ErrorBody, errorText } from '@watchdesk/contract/errors'
import type { UserCreate } from '@watchdesk/contract/users'
import { beforeAll, describe, expect, test } from 'vitest'
import { readOperations } from '../helpers/operations.ts'
import { FIRST_ADMIN, insertUser, openSession } from '../helpers/people.ts'
import { type Caller, PASSWORD, useWatchdesk } from '../helpers/watchdesk.ts'

const operations = await readOperations()
const watchdesk = useWatchdesk()
const home = { id: 0 }
const elsewhere = { id: 0 }

const ROLES = ['a plain user', 'a workspace admin', 'a super admin'] as const
type Role = (typeof ROLES)[number]
const callers = {} as Record<Role, Caller>

beforeAll(async () => {
  home.id = (await watchdesk.createWorkspace({ name: 'Home' })).id
  elsewhere.id = (await watchdesk.createWorkspace({ name: 'Elsewhere' })).id
  const plain = await insertUser(watchdesk, { workspace_id: home.id })
  const admin = await insertUser(watchdesk, { workspace_id: home.id, is_admin: true })
  callers['a plain user'] = await openSession(watchdesk, plain.id)
  callers['a workspace admin'] = await openSession(watchdesk, admin.id)
  callers['a super admin'] = await openSession(watchdesk, FIRST_ADMIN.id)
})

/** Every field, with a value that differs from that of a new user. */
type Field = Exclude<keyof UserCreate, 'invite'>
const VALUES: { [Each in Field]-?: () => UserCreate[Each] } = {
  first_name: () => 'Mallory',
  last_name: () => 'Mallet',
  email: () => `mallory.${serial()}@example.com`,
  workspace_id: () => elsewhere.id,
  is_admin: () => true,
  is_super_admin: () => true,
  is_auditor: () => true,
  type: () => 'MODERATOR',
  language: () => 'UK',
  password: () => 'quite another 5',
}
const FIELDS = Object.keys(VALUES) as Field[]
const FOR_SUPER_ADMINS: Field[] = ['workspace_id', 'is_super_admin', 'is_auditor']

const UNKNOWN = {
  id: 1,
  version: 99,
  password_hash: 'forged',
  deleted_at: null,
  deleted_with_workspace: true,
  created_at: '2020-01-01T00:00:00Z',
  updated_by: 1,
  full_name: 'Forged',
  workspace: { name: 'Elsewhere' },
  isSuperAdmin: true,
  IS_SUPER_ADMIN: true,
  'is_super_admin ': true,
}

let count = 0
function serial() {
  count += 1
  return count
}

const newUser = () => ({
  first_name: 'Eve',
  last_name: 'Stone',
  email: `eve.${serial()}@example.com`,
  workspace_id: home.id,
  password: PASSWORD,
})

const cases = ROLES.flatMap((role) => FIELDS.map((field) => ({ role, field })))
const unknownCases = ROLES.flatMap((role) => Object.entries(UNKNOWN).map(([field, value]) => ({ role, field, value })))

function wanted(role: Role, field: Field, success: number) {
  if (role === 'a plain user') return 401
  return role === 'a workspace admin' && FOR_SUPER_ADMINS.includes(field) ? 403 : success
}

function rowOf(column: 'id' | 'email', value: number | string) {
  return watchdesk.database.db
    .selectFrom('users')
    .select(FIELDS.filter((field) => field !== 'password'))
    .select(['id', 'password_hash', 'deleted_at', 'version'])
    .where(column, '=', value)
    .executeTakeFirst()
}

/** The row must be unchanged, except for the field that was sent. */
async function expectRow(before: NonNullable<Awaited<ReturnType<typeof rowOf>>>, field: string, value: unknown) {
  const { password_hash, ...after } = { ...(await rowOf('id', before.id)) }
  const { password_hash: oldHash, ...rest } = before
  const isPassword = field === 'password'
  expect(after).toEqual({ ...rest, version: rest.version + 1, ...(!isPassword && { [field]: value }) })
  expect(password_hash === oldHash).toBe(!isPassword)
  if (isPassword) expect(await watchdesk.deps.passwords.verify(password_hash, String(value))).toBe(true)
}

test('every field of the contract is tried', () => {
  for (const name of ['POST /api/v1/users/', 'PATCH /api/v1/users/{id}']) {
    const { body } = operations.find((operation) => operation.name === name) ?? {}
    const own = name.startsWith('PATCH') ? ['current_password'] : ['invite']
    expect(Object.keys(body?.properties ?? {}).sort()).toEqual([...FIELDS, ...own].sort())
  }
})

test.each(ROLES)('%s cannot send current_password for another user, nor when creating one', async (role) => {
  const { id } = await insertUser(watchdesk, { workspace_id: home.id })
  const before = await rowOf('id', id)
  const edit = { first_name: 'Mallory', current_password: PASSWORD }
  const status = role === 'a plain user' ? 401 : 422
  expect((await callers[role]('PATCH', `/api/v1/users/${id}`, edit)).status).toBe(status)
  expect(await rowOf('id', id)).toEqual(before)
  expect((await callers[role]('POST', '/api/v1/users/', { ...newUser(), current_password: PASSWORD })).status).toBe(
    status,
  )
})

test.each(cases)('$role creates a user with $field only as the access table allows', async ({ role, field }) => {
  const body = { ...newUser(), [field]: VALUES[field]() }
  const { status } = await callers[role]('POST', '/api/v1/users/', body)
  expect(status).toBe(wanted(role, field, 201))
  const row = await rowOf('email', body.email)
  if (status !== 201) return expect(row).toBeUndefined()
  const { password, ...rest } = body
  expect(row).toMatchObject({ is_admin: false, is_super_admin: false, type: 'STANDARD', language: '', ...rest })
  expect(await watchdesk.deps.passwords.verify(row?.password_hash, password)).toBe(true)
})

test.each(cases)('$role edits $field only as the access table allows', async ({ role, field }) => {
  const { id } = await insertUser(watchdesk, { workspace_id: home.id })
  const before = await rowOf('id', id)
  if (!before) throw new Error('no row')
  const value = VALUES[field]()
  const { status } = await callers[role]('PATCH', `/api/v1/users/${id}`, { [field]: value })
  expect(status).toBe(wanted(role, field, 200))
  if (status === 200) await expectRow(before, field, value)
  else expect(await rowOf('id', id)).toEqual(before)
})

test.each(unknownCases)('$role cannot send $field, which is not a field', async ({ role, field, value }) => {
  const refusal =
    role === 'a plain user'
      ? { status: 401 }
      : { status: 422, body: { detail: [{ loc: ['body', field], type: 'unknown_field' }] } }
  const body = { ...newUser(), [field]: value }
  expect(await callers[role]('POST', '/api/v1/users/', body)).toMatchObject(refusal)
  expect(await rowOf('email', body.email)).toBeUndefined()

  const { id } = await insertUser(watchdesk, { workspace_id: home.id })
  const before = await rowOf('id', id)
  const edit = { first_name: 'Mallory', [field]: value }
  expect(await callers[role]('PATCH', `/api/v1/users/${id}`, edit)).toMatchObject(refusal)
  expect(await rowOf('id', id)).toEqual(before)
})

describe('a workspace admin', () => {
  test.each(FIELDS)('cannot edit the %s of a super admin of the same workspace', async (field) => {
    const { id } = await insertUser(watchdesk, { workspace_id: home.id, is_super_admin: true })
    const before = await rowOf('id', id)
    const edit = { [field]: field === 'is_super_admin' ? false : VALUES[field]() }
    const { status } = await callers['a workspace admin']('PATCH', `/api/v1/users/${id}`, edit)
    expect(status).toBe(403)
    expect(await rowOf('id', id)).toEqual(before)
  })

  test('can neither delete nor restore a super admin of the same workspace', async () => {
    const { id } = await insertUser(watchdesk, { workspace_id: home.id, is_super_admin: true })
    expect((await callers['a workspace admin']('DELETE', `/api/v1/users/${id}`)).status).toBe(403)
    expect(await rowOf('id', id)).toMatchObject({ deleted_at: null })
    await callers['a super admin']('DELETE', `/api/v1/users/${id}`)
    expect((await callers['a workspace admin']('POST', `/api/v1/users/${id}/restore`)).status).toBe(403)
    expect(await rowOf('id', id)).toMatchObject({ deleted_at: expect.any(Date) })
  })

  test.each(FOR_SUPER_ADMINS)('cannot set their own %s, not even together with an allowed change', async (field) => {
    const { id } = await insertUser(watchdesk, { workspace_id: home.id, is_admin: true })
    const before = await rowOf('id', id)
    const self = await openSession(watchdesk, id)
    const edit = { first_name: 'Mallory', [field]: VALUES[field]() }
    expect((await self('PATCH', `/api/v1/users/${id}`, edit)).status).toBe(403)
    expect(await rowOf('id', id)).toEqual(before)
  })

  test('gains nothing by sending a field twice in one body', async () => {
    const { id } = await insertUser(watchdesk, { workspace_id: home.id })
    for (const [first, second] of [
      [false, true],
      [true, false],
    ]) {
      const body = `{"is_super_admin":${first},"is_super_admin":${second}}`
      await callers['a workspace admin']('PATCH', `/api/v1/users/${id}`, body, { 'content-type': 'application/json' })
    }
    expect(await rowOf('id', id)).toMatchObject({ is_super_admin: false })
  })
})

test('of thousands of unknown fields, the first hundred are reported', async () => {
  const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`field_${number}`, number]))
  const response = await watchdesk.anonymous<ErrorBody>('POST', '/api/v1/login', body)
  expect(response.status).toBe(422)
  expect(response.body.detail).toHaveLength(100)
  expect(errorText(response.body)).toContain('Email is required!\nPassword is required!\nfield_0 is not a known field.')
})
