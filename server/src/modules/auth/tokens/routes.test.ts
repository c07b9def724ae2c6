import { crc32 } from 'node:zlib'
import type { NewToken, Token } from '@watchdesk/contract/auth/tokens'
import { TOKENS_PER_USER } from '@watchdesk/contract/limits'
import { beforeEach, describe, expect, test } from 'vitest'
import { openToken } from '../../../../test/helpers/people.ts'
import { type Caller, caller, QUOTAS, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { hashToken } from '../../../token.ts'

const watchdesk = useWatchdesk()
const URL = '/api/v1/account/tokens/'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

let user: { id: number; email: string; workspace_id: number }
let me: Caller
beforeEach(async () => {
  const workspace = await watchdesk.createWorkspace()
  user = await watchdesk.createUser({ is_admin: true, workspace_id: workspace.id })
  me = await watchdesk.signIn(user.email)
})

const create = (body: object = {}, call = me) =>
  call<NewToken>('POST', URL, { name: 'Airflow', days: 90, is_read_only: false, ...body })
const list = async () => (await me<{ objects: Token[] }>('GET', URL)).body.objects
const use = async (token: string) => (await caller(watchdesk.app, token)('GET', '/api/v1/users/')).status

test('a token is shown once, has a checksum, and is stored as a hash only', async () => {
  const { status, body } = await create()
  expect(status).toBe(201)
  const [, random = '', checksum = ''] = /^wdk_(\w{40})(\w{6})$/.exec(body.token) ?? []
  expect([...checksum].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0)).toBe(crc32(random))
  expect(await use(body.token)).toBe(200)
  expect(JSON.stringify(await list())).not.toContain(random)
  const { rows } = await watchdesk.database.pool.query(
    `select (select json_agg(api_tokens)::text from api_tokens) as tokens, (select json_agg(audit_events)::text from audit_events) as events`,
  )
  expect(JSON.stringify(rows)).not.toContain(random)
  expect(rows[0].tokens).toContain(hashToken(body.token).toString('hex'))
})

test('a session whose token starts like one by chance is a session', async () => {
  const token = `wdk_${'a'.repeat(39)}`
  await watchdesk.database.pool.query('insert into sessions (token_hash, user_id) values ($1, $2)', [
    hashToken(token),
    user.id,
  ])
  expect(await caller(watchdesk.app, token)('GET', '/api/v1/users/me')).toMatchObject({
    status: 200,
    body: { id: user.id },
  })
  expect((await caller(watchdesk.app, token)('GET', URL)).status).toBe(200)
})

test('tokens are listed newest first, with their last use and its address', async () => {
  const { body } = await create()
  await create({ name: 'Reports', is_read_only: true, days: 1 })
  expect(await list()).toMatchObject([
    { name: 'Reports', is_read_only: true, last_used_at: null, last_ip: null },
    { name: 'Airflow', is_read_only: false, last_used_at: null, last_ip: null },
  ])
  await use(body.token)
  const used = (await list())[1]
  expect(Date.now() - Date.parse(used?.last_used_at ?? '')).toBeLessThan(60_000)
  expect(used?.last_ip).toBe('127.0.0.1')
  expect(Date.parse(used?.expires_at ?? '') - Date.parse(used?.created_at ?? '')).toBe(90 * 24 * 3_600_000)
})

test('its name is trimmed and unique, in any letter case', async () => {
  expect((await create({ name: '  Airflow ' })).body.name).toBe('Airflow')
  expect(await create({ name: 'AIRFLOW' })).toMatchObject({
    status: 409,
    body: { detail: 'You have a token with this name already.' },
  })
  expect((await create({}, watchdesk.admin)).status).toBe(201)
  expect((await create({ name: ' ' })).status).toBe(422)
})

test('a user can have 50 tokens, also if the last ones are created at once', async () => {
  for (let n = 1; n < TOKENS_PER_USER; n += 1) await openToken(watchdesk, user.id)
  const made = await Promise.all(['One', 'Other', 'Third'].map((name) => create({ name })))
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

test('creating and deleting one is recorded with its name', async () => {
  const { id, token } = (await create()).body
  const foreign = (await create({ name: 'Foreign' }, watchdesk.admin)).body
  expect((await me('DELETE', `${URL}${foreign.id}`)).status).toBe(404)
  expect((await me('DELETE', `${URL}${id}`)).status).toBe(204)
  expect([await use(token), await use(foreign.token)]).toEqual([401, 200])
  const { body } = await watchdesk.admin<{ objects: unknown[] }>(
    'GET',
    `/api/v1/audit/?entity=token&entity_id=${user.id}`,
  )
  expect(body.objects).toMatchObject([
    { action: 'delete', record: { detail: user.email }, changes: { name: { before: 'Airflow', after: null } } },
    { action: 'create', record: { detail: user.email }, changes: { name: { before: null, after: 'Airflow' } } },
  ])
})

test('a new one needs a recent sign-in', async () => {
  await watchdesk.database.pool.query(
    `update sessions set proved_at = now() - interval '16 minutes' where user_id = $1`,
    [user.id],
  )
  expect((await create()).status).toBe(401)
  expect(await list()).toEqual([])
})

describe('the rights of a token', () => {
  test('are those of its owner now, or less', async () => {
    const [full, reader] = [
      await openToken(watchdesk, user.id),
      await openToken(watchdesk, user.id, { is_read_only: true }),
    ]
    const edit = (call: Caller) => call('PATCH', `/api/v1/users/${user.id}`, { first_name: 'Hanna' })
    expect((await edit(full)).status).toBe(200)
    expect(await edit(reader)).toMatchObject({ status: 403, body: { detail: 'This token can only read.' } })
    expect((await reader('GET', '/api/v1/users/file?format=csv')).status).toBe(200)
    expect((await full('GET', '/api/v1/sources/')).status).toBe(403)
    await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { is_super_admin: true })
    const later = await openToken(watchdesk, user.id)
    expect((await later('GET', '/api/v1/sources/')).status).toBe(200)
    await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { is_super_admin: false })
    expect((await later('GET', '/api/v1/sources/')).status).toBe(403)
    expect((await later('GET', '/api/v1/users/')).status).toBe(200)
  })

  test.each([
    ['loses the admin rights', { is_admin: false }],
    ['becomes a super admin', { is_super_admin: true }],
    ['gets another password from an admin', { password: 'quite another 5' }],
  ])('end when its owner %s', async (_, change) => {
    const { token } = (await create()).body
    expect(await use(token)).toBe(200)
    await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, change)
    await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { is_admin: true })
    expect(await use(token)).toBe(401)
  })

  test('end when it expires, and while the workspace of its owner is deactivated', async () => {
    const { pool } = watchdesk.database
    const { token } = (await create()).body
    expect(await use(token)).toBe(200)
    const workspace = `/api/v1/workspaces/${user.workspace_id}`
    await watchdesk.admin('PUT', workspace, { name: 'Closed', ...QUOTAS, status: 'DEACTIVATED' })
    expect(await use(token)).toBe(401)
    await watchdesk.admin('PUT', workspace, { name: 'Open', ...QUOTAS, status: null })
    expect(await use(token)).toBe(200)
    await pool.query('update api_tokens set expires_at = now() where user_id = $1', [user.id])
    expect(await use(token)).toBe(401)
  })

  test.each([
    ['user', () => watchdesk.admin('DELETE', `/api/v1/users/${user.id}`)],
    ['workspace', () => watchdesk.admin('DELETE', `/api/v1/workspaces/${user.workspace_id}`)],
    [
      'user together with others',
      () =>
        watchdesk.admin('POST', '/api/v1/users/change', {
          action: 'delete',
          ids: [user.id],
          expected_count: 1,
          expected_changed_count: 1,
        }),
    ],
  ])('it is deleted with its %s', async (_what, remove) => {
    const { token } = (await create()).body
    expect((await remove()).status).toBeLessThan(300)
    expect(await use(token)).toBe(401)
    const left = await watchdesk.database.pool.query('select from api_tokens where user_id = $1', [user.id])
    expect(left.rowCount).toBe(0)
  })
})
