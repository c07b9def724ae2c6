import { createHash } from 'node:crypto'
import type { Session } from '@watchdesk/contract/auth/session'
import { errorText } from '@watchdesk/contract/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, caller, PASSWORD, startAnother, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { buildApp } from '../../../app.ts'
import { createDeps } from '../../../create-deps.ts'
import { connect } from '../../../db/open.ts'
import type { App } from '../../../plugins/contract.ts'
import { prepareDeps } from '../../../prepare-deps.ts'

const watchdesk = useWatchdesk()

/** A second instance on the same database, which counts the passwords it checks. */
let hashed = 0
let counting: App
beforeAll(async () => {
  const { deps } = watchdesk
  counting = await buildApp({
    ...deps,
    passwords: {
      ...deps.passwords,
      verify: (passwordHash, password) => {
        hashed += 1
        return deps.passwords.verify(passwordHash, password)
      },
    },
  })
})
afterAll(() => counting.close())

function login(body: unknown, app = watchdesk.app) {
  return caller(app, '')<Session>('POST', '/api/v1/login', body)
}

describe('signing in', () => {
  test('is case-insensitive in the email and returns a token for the API', async () => {
    for (const email of [ADMIN.email, ADMIN.email.toUpperCase(), 'Admin@WatchDesk.Local']) {
      const response = await login({ email, password: ADMIN.password })
      expect(response.status).toBe(200)
      expect(response.body).toEqual({ access_token: expect.stringMatching(/^[\w-]{43}$/) })
      const me = await caller(watchdesk.app, response.body.access_token)('GET', '/api/v1/users/me')
      expect(me.body).toMatchObject({ email: ADMIN.email, workspace: { name: 'Internal' } })
    }
  })

  test('still works after ten years without another password', async () => {
    const { id, email } = await watchdesk.createUser({ is_admin: true })
    const old = "created_at = now() - interval '10 years', updated_at = now() - interval '10 years'"
    await watchdesk.database.pool.query(`update users set ${old} where id = $1`, [id])
    await watchdesk.signIn(email)
  })

  test('stores only the SHA-256 of the token in the database', async () => {
    const { body } = await login({ email: ADMIN.email, password: ADMIN.password })
    const { pool } = watchdesk.database
    const digest = createHash('sha256').update(body.access_token).digest()
    const held = await pool.query('select user_id from sessions where token_hash = $1', [digest])
    expect(held.rows).toHaveLength(1)
    const clear = await pool.query(
      `select from sessions where sessions::text like $1
       union all select from audit_events where audit_events::text like $1`,
      [`%${body.access_token}%`],
    )
    expect(clear.rows).toHaveLength(0)
  })

  test.each([
    [{}, 'Email is required!\nPassword is required!'],
    [{ email: '', password: PASSWORD }, 'Email is required!'],
    [{ email: null, password: null }, 'Email is required!\nPassword is required!'],
    [{ email: 'nobody', password: PASSWORD }, 'Email must be a valid email address.'],
    [{ email: ADMIN.email, password: '' }, 'Password is required!'],
    [{ email: ADMIN.email, password: '   ' }, 'Password is required!'],
    [{ email: ADMIN.email, password: PASSWORD, remember: true }, 'remember is not a known field.'],
  ])('refuses %j with %j', async (body, message) => {
    const response = await login(body)
    expect(response.status).toBe(422)
    expect(errorText(response.body)).toBe(message)
  })

  test('reports missing rights only after the right password', async () => {
    const { email } = await watchdesk.createUser({})
    const wrong = await login({ email, password: 'not the password' })
    expect([wrong.status, wrong.body]).toEqual([401, { detail: 'Wrong email or password.' }])
    const right = await login({ email, password: PASSWORD })
    expect([right.status, right.body]).toEqual([403, { detail: 'This account may not use the console.' }])
  })

  test('returns the same response for an unknown, a deleted and a known email when the password is wrong', async () => {
    const gone = await watchdesk.createUser({ is_admin: true })
    await watchdesk.admin('DELETE', `/api/v1/users/${gone.id}`)
    const unknown = await login({ email: 'nobody@example.com', password: PASSWORD })
    const deleted = await login({ email: gone.email, password: PASSWORD })
    const wrong = await login({ email: ADMIN.email, password: PASSWORD })
    expect(unknown.status).toBe(401)
    for (const response of [deleted, wrong]) {
      expect([response.status, response.body]).toEqual([unknown.status, unknown.body])
      expect(Object.keys(response.headers)).toEqual(Object.keys(unknown.headers))
    }
  })

  test('returns 429 with Retry-After after too many attempts from an address', async () => {
    const strict = await startAnother(watchdesk, { env: { LOGIN_RATE_LIMIT: 2 } })
    const attempt = () => login({ email: ADMIN.email, password: ADMIN.password }, strict.app)
    expect([(await attempt()).status, (await attempt()).status]).toEqual([200, 200])
    const refused = await attempt()
    expect(refused.status).toBe(429)
    expect(errorText(refused.body)).toMatch(/Too many sign-ins/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('a long password', () => {
  async function refusal(password: string) {
    const before = hashed
    const response = await login({ email: ADMIN.email, password }, counting)
    return { status: response.status, hashed: hashed - before }
  }

  test('of 1 MB is rejected without hashing', async () => {
    const { status, hashed } = await refusal('x'.repeat(1_000_000))
    expect({ status, hashed }).toEqual({ status: 422, hashed: 0 })
    expect(await refusal('x'.repeat(1024 * 1024))).toEqual({ status: 413, hashed: 0 })
  })

  test('of 1,025 bytes is rejected without hashing, counted in bytes and not in characters', async () => {
    expect(await refusal('x'.repeat(1025))).toEqual({ status: 422, hashed: 0 })
    expect(await refusal('ж'.repeat(513))).toEqual({ status: 422, hashed: 0 })
  })

  test('of 1,024 bytes is still accepted', async () => {
    expect(await refusal('x'.repeat(1024))).toEqual({ status: 401, hashed: 1 })
    const password = `${'довга фраза.'.repeat(46)}шість!!`
    expect(Buffer.byteLength(password)).toBe(1024)
    await watchdesk.createUser({ email: 'long@example.com', password, is_admin: true })
    expect((await login({ email: 'long@example.com', password })).status).toBe(200)
  })
})

test('if the database cannot be reached, logins and calls with a token are 503, never 401', async () => {
  const nowhere = connect({ host: '127.0.0.1', port: 1 }, { DATABASE_POOL_SIZE: 2, STATEMENT_TIMEOUT_MS: 1000 })
  const { deps } = await createDeps(await prepareDeps(watchdesk.deps.env), nowhere)
  const cutOff = await startAnother(watchdesk, deps)
  const attempt = await login({ email: ADMIN.email, password: ADMIN.password }, cutOff.app)
  const me = await cutOff.admin('GET', '/api/v1/users/me')
  for (const response of [attempt, me]) {
    expect(response.status).toBe(503)
    expect(response.headers['retry-after']).toBeDefined()
  }
  await nowhere.close()
})
