import type { UsersImported } from '@watchdesk/contract/users-import'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, caller, PASSWORD, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { buildApp } from '../../../app.ts'
import type { App } from '../../../plugins/contract.ts'

const watchdesk = useWatchdesk()
let app: App
let admin: Caller
let user: { id: number; email: string }

beforeAll(async () => {
  const env = { ...watchdesk.deps.env, PASSWORD_LOGIN: 'off' as const, OIDC_LABEL: 'Acme' }
  app = await buildApp({ ...watchdesk.deps, env })
  admin = caller(app, watchdesk.admin.token)
  user = await watchdesk.createUser({ is_admin: true })
})
afterAll(() => app.close())

const NEW = { first_name: 'Ada', last_name: 'Winter', workspace_id: 1 }
const IMPORT = { workspace_id: 1, rows_count: 1 }
const row = (email: string, cells: object = {}) => ({ row: 2, email, name: 'Ada Winter', ...cells })

async function hasPassword(email: string) {
  const { rows } = await watchdesk.database.pool.query('select has_password from users where email = $1', [email])
  return rows[0]?.has_password
}

describe('with PASSWORD_LOGIN=off', () => {
  const REFUSED: [string, () => [string, object?] | [string, object | undefined, 'PATCH']][] = [
    ['a password', () => ['login', { email: user.email, password: PASSWORD }]],
    ['a passkey', () => ['login/passkey', { answer: {} }]],
    ['the challenge for a passkey', () => ['login/passkey/options']],
    ['a link', () => ['login/link', { token: 'x' }]],
    ['a password by link', () => ['login/link/password', { token: 'x', password: PASSWORD }]],
    ['a forgotten password', () => ['login/forgotten_password', { email: user.email }]],
    [
      'a password of their own',
      () => ['account/password', { password: 'another staple 8', current_password: PASSWORD }],
    ],
    ['an authenticator app', () => ['account/authenticator']],
    ['the first code of an app', () => ['account/authenticator/confirm', { code: '123456' }]],
    ['the challenge for a new passkey', () => ['account/passkeys/options']],
    ['a new passkey', () => ['account/passkeys/', { name: 'Laptop', answer: {} }]],
    ['new recovery codes', () => ['account/recovery_codes']],
    ['an invitation', () => [`users/${user.id}/invite`]],
    ['a new user who is invited', () => ['users/', { ...NEW, email: 'ada@example.com', invite: true }]],
    ['a new user with a password', () => ['users/', { ...NEW, email: 'ada@example.com', password: PASSWORD }]],
    ['the password of a user', () => [`users/${user.id}`, { password: 'another staple 8' }, 'PATCH']],
    ['many users who are invited', () => ['users/import', { ...IMPORT, invite: true, rows: [row('ada@example.com')] }]],
    [
      'many users with passwords',
      () => ['users/import', { ...IMPORT, rows: [row('ada@example.com', { password: PASSWORD })] }],
    ],
  ]
  test.each(REFUSED)('%s is refused, always with the same answer', async (_, request) => {
    const [path, body, method = 'POST'] = request()
    const call = path.startsWith('login') ? caller(app, '') : admin
    const refused = await call(method, `/api/v1/${path}`, body)
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        detail: 'Everyone signs in with Acme on this server. Passwords, passkeys and second factors are turned off.',
      },
    ])
    expect(await hasPassword('ada@example.com')).toBeUndefined()
    await watchdesk.signIn(user.email)
  })

  test('users are created without a password, one or many', async () => {
    const one = await admin('POST', '/api/v1/users/', { ...NEW, email: 'one@example.com', invite: false })
    expect(one.status).toBe(201)
    const many = await admin<UsersImported>('POST', '/api/v1/users/import', {
      ...IMPORT,
      rows: [row('many@example.com')],
    })
    expect(many.body).toMatchObject({ added_count: 1, rows: [{ outcome: 'added', reason: null }] })
    expect([await hasPassword('one@example.com'), await hasPassword('many@example.com')]).toEqual([false, false])
  })
})

test('where passwords are used, new users need one, or an invitation', async () => {
  const one = await watchdesk.admin('POST', '/api/v1/users/', { ...NEW, email: 'eve@example.com', invite: false })
  expect(one.status).toBe(422)
  const many = await watchdesk.admin<UsersImported>('POST', '/api/v1/users/import', {
    ...IMPORT,
    rows: [row('eve@example.com')],
  })
  expect(many.body.rows).toMatchObject([{ outcome: 'invalid password', reason: 'Password is required!' }])
})
