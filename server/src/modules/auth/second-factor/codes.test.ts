import type { SecondFactorState } from '@watchdesk/contract/account'
import type { Session } from '@watchdesk/contract/auth/session'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openToken } from '../../../../test/helpers/people.ts'
import { addAuthenticator, addPasskey, codeOf, halfSignIn } from '../../../../test/helpers/second-factors.ts'
import { caller, PASSWORD, startAnother, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { secondFactorStateOf } from '../session/second-factors.ts'

const watchdesk = useWatchdesk()

afterEach(() => void vi.useRealTimers())

const enter = async (email: string, code: string) =>
  (await halfSignIn(watchdesk, email))<Session>('POST', '/api/v1/login/code', { code })

async function eventsOf(id: number) {
  const { rows } = await watchdesk.database.pool.query<{ action: string; entity: string; changes: object }>(
    'select action, entity, changes from audit_events where entity_id = $1 and entity <> $2 order by id',
    [id, 'user'],
  )
  return rows
}

/** Only Date is moved: the database and timers run as always. */
function moveTime(seconds: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
}

describe('an authenticator app', () => {
  test('is set up with its first code, and comes with ten recovery codes', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    const started = await call<{ secret: string; address: string; qr_code: { size: number; path: string } }>(
      'POST',
      '/api/v1/account/authenticator',
    )
    expect(started.status).toBe(200)
    const { secret, address, qr_code } = started.body
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(address).toContain(`otpauth://totp/Watchdesk:${encodeURIComponent(email)}?`)
    expect(address).toContain('period=30')
    expect(qr_code.path).toMatch(/^M0 0h7v1h-7z/)
    expect(qr_code.size).toBeGreaterThan(20)
    // Until then, the password is enough.
    await watchdesk.signIn(email)

    const wrong = await call('POST', '/api/v1/account/authenticator/confirm', { code: '000000' })
    expect(wrong.status).toBe(422)
    const confirmed = await call<{ recovery_codes: string[] }>('POST', '/api/v1/account/authenticator/confirm', {
      code: codeOf(secret),
    })
    expect(confirmed.status).toBe(200)
    expect(confirmed.body.recovery_codes).toHaveLength(10)
    for (const code of confirmed.body.recovery_codes)
      expect(code).toMatch(/^([a-hjkmnp-tv-z2-9]{4}-){2}[a-hjkmnp-tv-z2-9]{4}$/)
    const state = await secondFactorStateOf(watchdesk.database.db, id)
    expect(state).toEqual<SecondFactorState>({
      authenticator: { created_at: expect.stringMatching(/Z$/) },
      passkeys: [],
      recovery_codes_left: 10,
    })
    expect((await eventsOf(id)).slice(-2)).toMatchObject([
      { action: 'create', entity: 'authenticator' },
      { action: 'create', entity: 'recovery_codes' },
    ])
  })

  test('then is asked for at the sign-in, and the session says so', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    const { secret } = await addAuthenticator(call)
    const half = await halfSignIn(watchdesk, email)
    expect(half.pending).toMatchObject({ next: 'second_factor', methods: ['authenticator', 'recovery_code'] })
    expect((await half('GET', '/api/v1/users/me')).status).toBe(401)
    const { status, body } = await half<Session>('POST', '/api/v1/login/code', { code: codeOf(secret, 1) })
    expect(status).toBe(200)
    expect((await caller(watchdesk.app, body.access_token)('GET', '/api/v1/users/me')).status).toBe(200)
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      action: 'login',
      changes: { method: { after: 'password_and_code' } },
    })
    // The sign-in is finished, so its token is of no more use.
    expect((await half('POST', '/api/v1/login/code', { code: codeOf(secret, 1) })).status).toBe(401)
  })

  test('may be half a minute slow or fast, not more', async () => {
    const { email, call } = await watchdesk.createPerson()
    const { secret } = await addAuthenticator(call)
    moveTime(300)
    expect((await enter(email, codeOf(secret, -2))).status).toBe(401)
    expect((await enter(email, codeOf(secret, 2))).status).toBe(401)
    expect((await enter(email, codeOf(secret, -1))).status).toBe(200)
    expect((await enter(email, codeOf(secret, 1))).status).toBe(200)
  })

  test('has codes that are accepted once, and none that are older than the last one', async () => {
    const { email, call } = await watchdesk.createPerson()
    const { secret, code } = await addAuthenticator(call)
    // The code that set it up counts as used too.
    expect((await enter(email, code)).status).toBe(401)
    moveTime(90)
    expect((await enter(email, codeOf(secret))).status).toBe(200)
    expect((await enter(email, codeOf(secret))).status).toBe(401)
    expect((await enter(email, codeOf(secret, -1))).status).toBe(401)
  })

  test('has codes that only one of many parallel sign-ins can use', async () => {
    const { email, call } = await watchdesk.createPerson()
    const { secret } = await addAuthenticator(call)
    const halves = await Promise.all(Array.from({ length: 6 }, () => halfSignIn(watchdesk, email)))
    const code = codeOf(secret, 1)
    const answers = await Promise.all(halves.map((half) => half('POST', '/api/v1/login/code', { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401])
  })

  test('replaces the one before only when its first code is entered', async () => {
    const { email, call } = await watchdesk.createPerson()
    const first = await addAuthenticator(call)
    const { body } = await call<{ secret: string }>('POST', '/api/v1/account/authenticator')
    expect((await enter(email, codeOf(first.secret, 1))).status).toBe(200)
    const second = await call('POST', '/api/v1/account/authenticator/confirm', { code: codeOf(body.secret) })
    expect(second.body).toEqual({ recovery_codes: null })
    moveTime(90)
    expect((await enter(email, codeOf(first.secret))).status).toBe(401)
    expect((await enter(email, codeOf(body.secret))).status).toBe(200)
  })

  test('is removed with the recovery codes, unless there is a passkey', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    await addAuthenticator(call)
    const added = await addPasskey(call)
    expect(added.recovery_codes).toBeNull()
    expect((await call('DELETE', '/api/v1/account/authenticator')).status).toBe(204)
    expect(await secondFactorStateOf(watchdesk.database.db, id)).toMatchObject({
      authenticator: null,
      passkeys: [{ name: 'Laptop' }],
      recovery_codes_left: 10,
    })
    expect((await call('DELETE', '/api/v1/account/authenticator')).status).toBe(404)
    expect((await call('DELETE', `/api/v1/account/passkeys/${added.id}`)).status).toBe(204)
    expect((await secondFactorStateOf(watchdesk.database.db, id)).recovery_codes_left).toBe(0)
    await watchdesk.signIn(email)
  })

  test('stores no secret that can be read from the database alone', async () => {
    const { id, call } = await watchdesk.createPerson()
    const { secret } = await addAuthenticator(call)
    const { rows } = await watchdesk.database.pool.query('select secret from authenticators where user_id = $1', [id])
    const { Secret } = await import('otpauth')
    expect(rows[0].secret.includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(false)
    const { rows: events } = await watchdesk.database.pool.query(
      "select coalesce(string_agg(changes::text, ''), '') as text from audit_events",
    )
    expect(events[0].text).not.toContain(secret)
  })
})

describe('a recovery code', () => {
  test('finishes a sign-in once, however it is typed, and is recorded', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    const { recovery_codes } = await addAuthenticator(call)
    const [first = '', second = ''] = recovery_codes ?? []
    expect((await enter(email, first)).body).toMatchObject({ recovery_codes_left: 9 })
    expect(await enter(email, first)).toMatchObject({
      status: 401,
      body: { detail: 'This recovery code is wrong or was used before. Enter another one.' },
    })
    expect((await enter(email, ` ${second.replaceAll('-', ' ').toUpperCase()} `)).status).toBe(200)
    expect((await secondFactorStateOf(watchdesk.database.db, id)).recovery_codes_left).toBe(8)
    expect((await eventsOf(id)).at(-1)).toMatchObject({ changes: { method: { after: 'password_and_recovery_code' } } })
    expect(await eventsOf(id)).toEqual(
      expect.arrayContaining([
        { action: 'use', entity: 'recovery_codes', changes: { left: { before: 10, after: 9 } } },
        { action: 'login_failed', entity: 'session', changes: { step: { before: null, after: 'code' } } },
      ]),
    )
  })

  test('may consist of digits alone', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    await addAuthenticator(call)
    const { pool } = watchdesk.database
    const { rows } = await pool.query('select salt from recovery_codes where user_id = $1', [id])
    const hash = await watchdesk.deps.passwords.hashNewCode('234567892345', rows[0].salt)
    await pool.query('insert into recovery_codes (user_id, salt, code_hash) values ($1, $2, $3)', [
      id,
      rows[0].salt,
      hash,
    ])
    expect((await enter(email, '2345-6789-2345')).body).toMatchObject({ recovery_codes_left: 10 })
  })

  test('can be used by only one of many parallel sign-ins', async () => {
    const { email, call } = await watchdesk.createPerson()
    const { recovery_codes } = await addAuthenticator(call)
    const halves = await Promise.all(Array.from({ length: 4 }, () => halfSignIn(watchdesk, email)))
    const answers = await Promise.all(
      halves.map((half) => half('POST', '/api/v1/login/code', { code: recovery_codes?.[0] })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  test('is worthless after new ones were made, and for another user', async () => {
    const { email, call } = await watchdesk.createPerson()
    const old = (await addAuthenticator(call)).recovery_codes ?? []
    const renewed = await call<{ recovery_codes: string[] }>('POST', '/api/v1/account/recovery_codes')
    expect(renewed.body.recovery_codes).toHaveLength(10)
    const other = await watchdesk.createPerson()
    await addAuthenticator(other.call)
    expect((await enter(email, old[0] ?? '')).status).toBe(401)
    expect((await enter(other.email, renewed.body.recovery_codes[0] ?? '')).status).toBe(401)
    expect((await enter(email, renewed.body.recovery_codes[0] ?? '')).status).toBe(200)
  })

  test('is not made for users without a second factor', async () => {
    const { call } = await watchdesk.createPerson()
    expect((await call('POST', '/api/v1/account/recovery_codes')).status).toBe(409)
  })
})

describe('the first second factor', () => {
  const FACTORS = [
    ['authenticator', addAuthenticator],
    ['passkey', addPasskey],
  ] as const

  test.each(FACTORS)('ends all other sessions, which a password alone has opened: %s', async (entity, add) => {
    const { id, email, call } = await watchdesk.createPerson()
    const others = [await watchdesk.signIn(email), await watchdesk.signIn(email)]
    const token = await openToken(watchdesk, id)
    await add(call)
    expect((await call('GET', '/api/v1/users/me')).status).toBe(200)
    for (const other of others) expect((await other('GET', '/api/v1/users/me')).status).toBe(401)
    expect((await token('GET', '/api/v1/users/me')).status).toBe(200)
    const event = (await eventsOf(id)).find((each) => each.entity === entity)
    expect(event?.changes).toMatchObject({ sessions: { before: 3, after: 1 } })
  })

  test('ends sign-ins that are not finished', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    const strict = await startAnother(watchdesk, { env: { REQUIRE_SECOND_FACTOR: 'all' } })
    const half = await halfSignIn({ ...watchdesk, ...strict }, email)
    await addAuthenticator(call)
    expect((await half('POST', '/api/v1/login/set_up/authenticator')).body).toEqual({
      detail: 'This sign-in has expired. Start again.',
    })
    const { rowCount } = await watchdesk.database.pool.query('select from pending_sign_ins where user_id = $1', [id])
    expect(rowCount).toBe(0)
  })

  test('is followed by others that end nothing', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    const { secret } = await addAuthenticator(call)
    const { body } = await enter(email, codeOf(secret, 1))
    const other = caller(watchdesk.app, body.access_token)
    const half = await halfSignIn(watchdesk, email)
    await addPasskey(call)
    await addAuthenticator(call)
    expect((await other('GET', '/api/v1/users/me')).status).toBe(200)
    expect((await half('POST', '/api/v1/login/second_passkey/options')).status).toBe(200)
    for (const { changes } of await eventsOf(id)) expect(changes).not.toHaveProperty('sessions')
  })
})

test('a sign-in that is not finished ends when the password is changed', async () => {
  const { id, email, call } = await watchdesk.createPerson()
  const { secret } = await addAuthenticator(call)
  const half = await halfSignIn(watchdesk, email)
  expect((await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { password: `${PASSWORD} anew` })).status).toBe(200)
  expect((await half('POST', '/api/v1/login/code', { code: codeOf(secret, 1) })).status).toBe(401)
})

describe('wrong codes', () => {
  test('lock the second factor after ten, for every network, and a right password does not help', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    const { secret } = await addAuthenticator(call)
    for (let count = 0; count < 10; count += 1) expect((await enter(email, '000000')).status).toBe(401)
    const half = await halfSignIn(watchdesk, email)
    const locked = await watchdesk.app.inject({
      method: 'POST',
      url: '/api/v1/login/code',
      remoteAddress: '203.0.113.9',
      headers: { authorization: `Bearer ${half.token}` },
      payload: { code: codeOf(secret, 1) },
    })
    expect(locked.statusCode).toBe(429)
    expect(locked.json().detail).toMatch(/^Too many wrong codes/)
    const details = await watchdesk.admin<{ locked_until: string | null }>('GET', `/api/v1/users/${id}`)
    expect(details.body.locked_until).toMatch(/Z$/)
    const list = await watchdesk.admin<{ objects: { id: number }[] }>('GET', '/api/v1/users/?locked=yes')
    expect(list.body.objects.map((user) => user.id)).toContain(id)

    expect((await watchdesk.admin('POST', `/api/v1/users/${id}/unlock`)).status).toBe(204)
    expect((await half('POST', '/api/v1/login/code', { code: codeOf(secret, 1) })).status).toBe(200)
  })

  test('in parallel are not checked more than ten times', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    await addAuthenticator(call)
    const halves = await Promise.all(Array.from({ length: 15 }, () => halfSignIn(watchdesk, email)))
    const answers = await Promise.all(halves.map((half) => half('POST', '/api/v1/login/code', { code: '000000' })))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
    const failures = (await eventsOf(id)).filter(({ action }) => action === 'login_failed')
    expect(failures).toHaveLength(10)
  })
})
