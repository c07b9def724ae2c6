import { createHash } from 'node:crypto'
import type { Passkey } from '@watchdesk/contract/account'
import type { Session } from '@watchdesk/contract/auth/session'
import { PASSKEYS_PER_USER } from '@watchdesk/contract/limits'
import { describe, expect, test } from 'vitest'
import { addPasskey, halfSignIn } from '../../../../test/helpers/second-factors.ts'
import {
  type CreationOptions,
  type RequestOptions,
  type SoftPasskey,
  softPasskey,
} from '../../../../test/helpers/soft-passkey.ts'
import { type Caller, caller, startAnother, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { secondFactorStateOf } from '../session/second-factors.ts'

const watchdesk = useWatchdesk()

const REFUSED = { status: 401, body: { detail: 'This passkey was not accepted. Try again, or sign in another way.' } }

async function requestNew(call: Caller) {
  return (await call<{ options: CreationOptions }>('POST', '/api/v1/account/passkeys/options')).body.options
}

async function requestAlone() {
  const { body } = await watchdesk.anonymous<{ options: RequestOptions }>('POST', '/api/v1/login/passkey/options')
  return body.options
}

function signIn(answer: unknown) {
  return watchdesk.anonymous<Session>('POST', '/api/v1/login/passkey', { answer })
}

async function requestSecond(half: Caller) {
  return (await half<{ options: RequestOptions }>('POST', '/api/v1/login/second_passkey/options')).body.options
}

describe('a new passkey', () => {
  test('is added with a name, renamed, removed, and listed by the account', async () => {
    const { id, call } = await watchdesk.createPerson()
    const options = await requestNew(call)
    expect(options).toMatchObject({ rp: { id: 'localhost', name: 'Watchdesk' }, attestation: 'none' })
    const handle = Buffer.from(options.user.id, 'base64url')
    expect([handle.length, handle.equals(createHash('sha256').update(`watchdesk user ${id}`).digest())]).toEqual([
      32,
      false,
    ])
    expect((await requestNew(call)).user.id).toBe(options.user.id)
    const answer = softPasskey().create(options)
    const added = await call<{ passkey: Passkey; recovery_codes: string[] }>('POST', '/api/v1/account/passkeys/', {
      name: 'Work laptop',
      answer,
    })
    expect(added.status).toBe(201)
    expect(added.body.recovery_codes).toHaveLength(10)
    const { passkey } = added.body
    expect(passkey).toMatchObject({ name: 'Work laptop', last_used_at: null })
    const renamed = await call('PATCH', `/api/v1/account/passkeys/${passkey.id}`, { name: 'Old laptop' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Old laptop' } })
    expect((await secondFactorStateOf(watchdesk.database.db, id)).passkeys).toEqual([
      { ...passkey, name: 'Old laptop' },
    ])
    const other = await watchdesk.createPerson()
    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { name: 'Mine' } : undefined
      expect((await other.call(method, `/api/v1/account/passkeys/${passkey.id}`, body)).status).toBe(404)
    }
    expect((await call('DELETE', `/api/v1/account/passkeys/${passkey.id}`)).status).toBe(204)
    const { rows } = await watchdesk.database.pool.query(
      "select action, changes from audit_events where entity = 'passkey' and entity_id = $1 order by id",
      [id],
    )
    expect(rows).toEqual([
      { action: 'create', changes: { name: { before: null, after: 'Work laptop' } } },
      { action: 'update', changes: { name: { before: 'Work laptop', after: 'Old laptop' } } },
      { action: 'delete', changes: { name: { before: 'Old laptop', after: null } } },
    ])
  })

  test.each(['another origin', 'another site', 'another challenge', 'the challenge of another user'])(
    'is refused with %s',
    async (what) => {
      const { call } = await watchdesk.createPerson()
      const other = await watchdesk.createPerson()
      const options = await requestNew(call)
      const twists: Record<string, object> = {
        'another origin': { origin: 'http://evil.example' },
        'another site': { rpId: 'evil.example' },
        'another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
        'the challenge of another user': { challenge: (await requestNew(other.call)).challenge },
      }
      const body = { name: 'Laptop', answer: softPasskey().create(options, twists[what]) }
      expect((await call('POST', '/api/v1/account/passkeys/', body)).status).toBe(422)
    },
  )

  test('can have an id of 1,023 bytes, but no longer one', async () => {
    const { call } = await watchdesk.createPerson()
    await addPasskey(call, softPasskey({ idBytes: 1023 }))
    for (const idBytes of [1024, 2750]) {
      const answer = softPasskey({ idBytes }).create(await requestNew(call))
      expect(await call('POST', '/api/v1/account/passkeys/', { name: 'Laptop', answer })).toMatchObject({
        status: 422,
        body: { detail: 'This passkey could not be added. Try again, or use another one.' },
      })
    }
  })

  test('needs a challenge that was not answered before, rightly or wrongly', async () => {
    const { call } = await watchdesk.createPerson()
    const add = (answer: unknown) => call('POST', '/api/v1/account/passkeys/', { name: 'Laptop', answer })
    const first = await requestNew(call)
    expect((await add(softPasskey().create(first))).status).toBe(201)
    expect((await add(softPasskey().create(first))).status).toBe(422)
    const second = await requestNew(call)
    expect((await add(softPasskey().create(second, { origin: 'http://evil.example' }))).status).toBe(422)
    expect((await add(softPasskey().create(second))).status).toBe(422)
  })

  test('cannot belong to two users', async () => {
    const [one, two] = [await watchdesk.createPerson(), await watchdesk.createPerson()]
    const { passkey } = await addPasskey(one.call)
    const answer = passkey.create(await requestNew(two.call))
    expect((await two.call('POST', '/api/v1/account/passkeys/', { name: 'Laptop', answer })).status).toBe(409)
  })

  test(`is refused after ${PASSKEYS_PER_USER}, also in parallel`, async () => {
    const { id, call } = await watchdesk.createPerson()
    await addPasskey(call)
    await watchdesk.database.pool.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, name)
        select $1, sha256(number::text::bytea), '', 0, 'Old' from generate_series(2, $2) number`,
      [id, PASSKEYS_PER_USER - 1],
    )
    const answers = [softPasskey().create(await requestNew(call)), softPasskey().create(await requestNew(call))]
    const added = await Promise.all(
      answers.map((answer) => call('POST', '/api/v1/account/passkeys/', { name: 'New', answer })),
    )
    expect(added.map(({ status }) => status).sort()).toEqual([201, 409])
    expect((await call('POST', '/api/v1/account/passkeys/options')).status).toBe(409)
  })

  test.each([
    {},
    { id: 7 },
    { id: 'x', rawId: 'x', type: 'public-key', response: null },
    { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: '!', attestationObject: '!' } },
    { id: 'x', response: { clientDataJSON: Buffer.from('null').toString('base64url') } },
    { id: 'x', response: { clientDataJSON: Buffer.from('{"challenge":"\\u0000"}').toString('base64url') } },
    { id: 'x', response: { clientDataJSON: 'x'.repeat(15_000) } },
  ])('is refused with a malformed answer: %j', async (answer) => {
    const { call } = await watchdesk.createPerson()
    const response = await call('POST', '/api/v1/account/passkeys/', { name: 'Laptop', answer })
    expect(response).toMatchObject({ status: 422, body: { detail: expect.anything() } })
    expect(await signIn(answer)).toMatchObject({ status: 401 })
  })

  test('is refused with a challenge of our own and a garbage attestation', async () => {
    const { call } = await watchdesk.createPerson()
    for (const attestationObject of [undefined, '', 'oA', 'ow', Buffer.alloc(3000, 0x9f).toString('base64url')]) {
      const answer = softPasskey().create(await requestNew(call))
      const body = { name: 'Laptop', answer: { ...answer, response: { ...answer.response, attestationObject } } }
      expect((await call('POST', '/api/v1/account/passkeys/', body)).status).toBe(422)
    }
  })
})

describe('a passkey as second factor', () => {
  test('finishes a sign-in, even if it does not check who holds it', async () => {
    const { id, email, call } = await watchdesk.createPerson()
    const { passkey } = await addPasskey(call)
    const half = await halfSignIn(watchdesk, email)
    expect(half.pending.methods).toEqual(['passkey', 'recovery_code'])
    const options = await requestSecond(half)
    expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [{ id: passkey.id }] })
    const answer = passkey.get(options, { isVerified: false })
    const { status, body } = await half<Session>('POST', '/api/v1/login/second_passkey', { answer })
    expect(status).toBe(200)
    expect((await caller(watchdesk.app, body.access_token)('GET', '/api/v1/users/me')).status).toBe(200)
    const { rows } = await watchdesk.database.pool.query('select method from sessions where user_id = $1', [id])
    expect(rows.map(({ method }) => method)).toContain('password_and_passkey')
    expect((await secondFactorStateOf(watchdesk.database.db, id)).passkeys[0]?.last_used_at).toMatch(/Z$/)
  })

  test('is refused with a passkey, challenge or signature of somebody else, and recorded once a minute', async () => {
    const [one, two] = [await watchdesk.createPerson(), await watchdesk.createPerson()]
    const { passkey } = await addPasskey(one.call)
    const { passkey: foreign } = await addPasskey(two.call)
    const half = await halfSignIn(watchdesk, one.email)
    const enter = (answer: unknown) => half('POST', '/api/v1/login/second_passkey', { answer })
    expect(await enter(foreign.get(await requestSecond(half)))).toMatchObject(REFUSED)
    expect(await enter({ ...foreign.get(await requestSecond(half)), id: passkey.id, rawId: passkey.id })).toMatchObject(
      REFUSED,
    )
    const other = await requestSecond(await halfSignIn(watchdesk, two.email))
    expect(await enter(passkey.get(other))).toMatchObject(REFUSED)
    expect(await enter(passkey.get(await requestAlone()))).toMatchObject(REFUSED)
    const { rows } = await watchdesk.database.pool.query(
      "select changes from audit_events where action = 'login_failed' and entity_id = $1",
      [one.id],
    )
    expect(rows.length).toBeGreaterThanOrEqual(1)
    expect(rows.length).toBeLessThanOrEqual(2)
    expect(rows[0].changes).toEqual({ step: { before: null, after: 'passkey' } })
    expect((await enter(passkey.get(await requestSecond(half)))).status).toBe(200)
  })
})

describe('a passkey alone', () => {
  test('signs in without email and password', async () => {
    const { id, call } = await watchdesk.createPerson()
    const { passkey } = await addPasskey(call)
    const options = await requestAlone()
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    const { status, body } = await signIn(passkey.get(options))
    expect(status).toBe(200)
    const me = await caller(watchdesk.app, body.access_token)('GET', '/api/v1/users/me')
    expect(me.body).toMatchObject({ id })
    const { rows } = await watchdesk.database.pool.query('select method from sessions where user_id = $1', [id])
    expect(rows.map(({ method }) => method)).toContain('passkey')
  })

  test('is refused with the same text whatever is wrong', async () => {
    const { call } = await watchdesk.createPerson()
    const { passkey } = await addPasskey(call)
    const gone = await watchdesk.createPerson()
    const { passkey: ofDeleted } = await addPasskey(gone.call)
    await watchdesk.admin('DELETE', `/api/v1/users/${gone.id}`)
    const half = await halfSignIn(watchdesk, (await call<{ email: string }>('GET', '/api/v1/users/me')).body.email)
    const second = await requestSecond(half)
    const answers = [
      softPasskey().get(await requestAlone()),
      passkey.get(await requestAlone(), { isVerified: false }),
      passkey.get(await requestAlone(), { origin: 'http://evil.example' }),
      passkey.get(await requestAlone(), { rpId: 'evil.example' }),
      passkey.get(await requestAlone(), { userHandle: Buffer.from('somebody else').toString('base64url') }),
      passkey.get(second),
      ofDeleted.get(await requestAlone()),
    ]
    for (const answer of answers) expect(await signIn(answer)).toMatchObject(REFUSED)
  })

  test('needs a new challenge each time, and answers it within five minutes', async () => {
    const { call } = await watchdesk.createPerson()
    const { passkey } = await addPasskey(call)
    const options = await requestAlone()
    expect((await signIn(passkey.get(options))).status).toBe(200)
    expect(await signIn(passkey.get(options))).toMatchObject(REFUSED)
    const late = await requestAlone()
    await watchdesk.database.pool.query(
      "update passkey_challenges set expires_at = expires_at - interval '5 minutes' where challenge = $1",
      [late.challenge],
    )
    expect(await signIn(passkey.get(late))).toMatchObject(REFUSED)
  })

  test('is refused when its counter shows that a copy was used', async () => {
    const { call } = await watchdesk.createPerson()
    const { passkey } = await addPasskey(call, softPasskey({ counts: true }))
    passkey.state.counter = 10
    expect((await signIn(passkey.get(await requestAlone()))).status).toBe(200)
    passkey.state.counter = 5
    expect(await signIn(passkey.get(await requestAlone()))).toMatchObject(REFUSED)
    passkey.state.counter = 11
    expect((await signIn(passkey.get(await requestAlone()))).status).toBe(200)
  })

  test('can count up to the end of its 32 bits', async () => {
    const { call } = await watchdesk.createPerson()
    const passkey = softPasskey({ counts: true })
    passkey.state.counter = 2 ** 31
    await addPasskey(call, passkey)
    expect((await signIn(passkey.get(await requestAlone()))).status).toBe(200)
    passkey.state.counter = 2 ** 32 - 2
    expect((await signIn(passkey.get(await requestAlone()))).status).toBe(200)
    passkey.state.counter = 2 ** 31
    expect(await signIn(passkey.get(await requestAlone()))).toMatchObject(REFUSED)
  })
})

describe('without PUBLIC_URL', () => {
  const elsewhere = { origin: 'http://other.example' }
  const signInThere = async (passkey: SoftPasskey) => {
    const url = '/api/v1/login/passkey'
    const { body } = await watchdesk.anonymous<{ options: RequestOptions }>(
      'POST',
      `${url}/options`,
      undefined,
      elsewhere,
    )
    expect(body.options.rpId).toBe('other.example')
    return watchdesk.anonymous('POST', url, { answer: passkey.get(body.options, elsewhere) }, elsewhere)
  }

  test('a passkey is refused at another host name than the one where it was added', async () => {
    const { call } = await watchdesk.createPerson()
    const { passkey } = await addPasskey(call)
    expect(await signInThere(passkey)).toMatchObject(REFUSED)
    expect((await signIn(passkey.get(await requestAlone()))).status).toBe(200)
  })

  test('a passkey of an earlier release works with its handle, and from its first use on for that host name only', async () => {
    const { id, call } = await watchdesk.createPerson()
    const { passkey } = await addPasskey(call)
    passkey.state.handle = createHash('sha256').update(`watchdesk user ${id}`).digest('base64url')
    const { pool } = watchdesk.database
    await pool.query('update passkeys set rp_id = null where user_id = $1', [id])
    await pool.query('delete from passkey_handles where user_id = $1', [id])
    expect((await signIn(passkey.get(await requestAlone()))).status).toBe(200)
    expect(await signInThere(passkey)).toMatchObject(REFUSED)
  })
})

describe('with PUBLIC_URL', () => {
  const behind = useWatchdesk({ PUBLIC_URL: 'https://desk.example.com/console' })

  test('passkeys are for its host, whatever the headers say', async () => {
    const { call } = await behind.createPerson()
    const { body } = await call<{ options: CreationOptions }>('POST', '/api/v1/account/passkeys/options', undefined, {
      origin: 'https://evil.example',
    })
    expect(body.options.rp).toMatchObject({ id: 'desk.example.com' })
    const add = (answer: unknown) => call('POST', '/api/v1/account/passkeys/', { name: 'Laptop', answer })
    const answer = softPasskey().create(body.options, { origin: 'https://desk.example.com' })
    expect((await add(answer)).status).toBe(201)
  })
})

describe('with PASSWORD_LOGIN=off', () => {
  const settings = {
    PASSWORD_LOGIN: 'off',
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'desk',
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_LABEL: 'Example ID',
    PUBLIC_URL: 'https://desk.example.com',
  }

  test('nobody can sign in with a passkey, and the ways to sign in say so', async () => {
    const { readEnv } = await import('../../../env.ts')
    const { anonymous: call } = await startAnother(watchdesk, { env: readEnv({ ...settings, LOG_LEVEL: 'silent' }) })
    expect((await call('POST', '/api/v1/login/passkey/options')).status).toBe(403)
    expect((await call('POST', '/api/v1/login/passkey', { answer: {} })).status).toBe(403)
    expect((await call('GET', '/api/v1/login/options')).body).toEqual({
      password: false,
      forgotten_password: false,
      sso: { label: 'Example ID' },
    })
    expect((await watchdesk.anonymous('GET', '/api/v1/login/options')).body).toEqual({
      password: true,
      forgotten_password: false,
      sso: null,
    })
  })
})
