import type { NewAuthenticator, SignedInWithCodes } from '@watchdesk/contract/auth/session'
import { describe, expect, test } from 'vitest'
import { codeOf, halfSignIn } from '../../../../test/helpers/second-factors.ts'
import { type CreationOptions, softPasskey } from '../../../../test/helpers/soft-passkey.ts'
import { type Caller, caller, startAnother, useWatchdesk, type Watchdesk } from '../../../../test/helpers/watchdesk.ts'
import { secondFactorStateOf } from '../session/second-factors.ts'

const watchdesk = useWatchdesk()

/** The same server with another setting: the first admin of a new one could not sign in. */
async function requiring(REQUIRE_SECOND_FACTOR: 'super_admins' | 'all'): Promise<Watchdesk> {
  return {
    ...watchdesk,
    ...(await startAnother(watchdesk, { env: { REQUIRE_SECOND_FACTOR } })),
    admin: watchdesk.admin,
  }
}

async function setUpAuthenticator(half: Caller) {
  const { body } = await half<NewAuthenticator>('POST', '/api/v1/login/set_up/authenticator')
  const code = codeOf(body.secret)
  const done = await half<SignedInWithCodes>('POST', '/api/v1/login/set_up/authenticator/confirm', { code })
  return { secret: body.secret, done }
}

async function answerFor(half: Caller) {
  const { body } = await half<{ options: CreationOptions }>('POST', '/api/v1/login/set_up/passkey/options')
  return softPasskey().create(body.options)
}

function finishPasskey(half: Caller, answer: unknown) {
  return half<SignedInWithCodes>('POST', '/api/v1/login/set_up/passkey', { name: 'Laptop', answer })
}

test('by default, nobody needs a second factor', async () => {
  const { email } = await watchdesk.createPerson({ is_admin: true, is_super_admin: true })
  await watchdesk.signIn(email)
})

describe('REQUIRE_SECOND_FACTOR=super_admins', () => {
  test('makes super admins set one up when they sign in, and nobody else', async () => {
    const strict = await requiring('super_admins')
    const [admin, boss] = [
      await watchdesk.createPerson(),
      await watchdesk.createPerson({ is_admin: true, is_super_admin: true }),
    ]
    await expect(halfSignIn(strict, admin.email)).rejects.toThrow('needs no second factor')
    const half = await halfSignIn(strict, boss.email)
    expect(half.pending).toMatchObject({ next: 'set_up', methods: [] })
    expect((await half('POST', '/api/v1/login/code', { code: '123456' })).status).toBe(409)
    expect((await half('POST', '/api/v1/login/second_passkey/options')).status).toBe(409)
    const { done } = await setUpAuthenticator(half)
    expect(done.status).toBe(200)
    expect(done.body.recovery_codes).toHaveLength(10)
    const call = caller(strict.app, done.body.access_token)
    expect((await call('GET', '/api/v1/users/me')).body).toMatchObject({ id: boss.id })
    const removed = await call('DELETE', '/api/v1/account/authenticator')
    expect(removed).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('requires you to use a second factor') },
    })
    await strict.app.close()
  })
})

describe('REQUIRE_SECOND_FACTOR=all', () => {
  test('lets admins set up a passkey', async () => {
    const strict = await requiring('all')
    const { id, email } = await watchdesk.createPerson()
    const half = await halfSignIn(strict, email)
    const done = await finishPasskey(half, await answerFor(half))
    expect(done.status).toBe(200)
    expect(done.body.recovery_codes).toHaveLength(10)
    expect(await secondFactorStateOf(watchdesk.database.db, id)).toMatchObject({
      passkeys: [{ name: 'Laptop' }],
      recovery_codes_left: 10,
    })
    const { rows } = await watchdesk.database.pool.query('select method from sessions where user_id = $1 order by id', [
      id,
    ])
    expect(rows.at(-1)).toEqual({ method: 'password_and_passkey' })
    const [{ id: passkey } = { id: 0 }] = (await secondFactorStateOf(watchdesk.database.db, id)).passkeys
    const call = caller(strict.app, done.body.access_token)
    expect((await call('DELETE', `/api/v1/account/passkeys/${passkey}`)).status).toBe(409)
    await strict.app.close()
  })

  test('ends the older sessions of a user who sets one up, and keeps the new one', async () => {
    const strict = await requiring('all')
    const { id, email, call: older } = await watchdesk.createPerson()
    const { done } = await setUpAuthenticator(await halfSignIn(strict, email))
    expect((await older('GET', '/api/v1/users/me')).status).toBe(401)
    expect((await caller(strict.app, done.body.access_token)('GET', '/api/v1/users/me')).status).toBe(200)
    const { rows } = await watchdesk.database.pool.query(
      "select changes from audit_events where entity_id = $1 and entity = 'authenticator'",
      [id],
    )
    expect(rows).toEqual([{ changes: { sessions: { before: 1, after: 0 } } }])
    await strict.app.close()
  })

  test('does not accept a wrong code or passkey', async () => {
    const strict = await requiring('all')
    const { id, email } = await watchdesk.createPerson()
    const half = await halfSignIn(strict, email)
    await half('POST', '/api/v1/login/set_up/authenticator')
    expect((await half('POST', '/api/v1/login/set_up/authenticator/confirm', { code: '000000' })).status).toBe(401)
    expect((await half('POST', '/api/v1/login/set_up/authenticator/confirm', { code: 'abcd' })).status).toBe(401)
    const answer = await answerFor(half)
    expect((await finishPasskey(half, { ...answer, type: 'other' })).status).toBe(422)
    expect((await finishPasskey(half, answer)).status).toBe(422)
    expect(await secondFactorStateOf(watchdesk.database.db, id)).toMatchObject({ authenticator: null, passkeys: [] })
    await strict.app.close()
  })

  test('lets only one of several sign-ins set up the first one', async () => {
    const strict = await requiring('all')
    const { id, email } = await watchdesk.createPerson()
    const halves = await Promise.all([1, 2, 3].map(() => halfSignIn(strict, email)))
    const answers = await Promise.all(halves.map(answerFor))
    const done = await Promise.all(halves.map((half, index) => finishPasskey(half, answers[index])))
    expect(done.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    expect((await secondFactorStateOf(watchdesk.database.db, id)).passkeys).toHaveLength(1)
    const [late] = halves.filter((_, index) => done[index]?.status === 401)
    expect((await late?.('POST', '/api/v1/login/set_up/authenticator'))?.status).toBe(401)
    await strict.app.close()
  })

  test('never lets somebody with only the password add a second factor to an account that has one', async () => {
    const strict = await requiring('all')
    const { email } = await watchdesk.createPerson()
    await setUpAuthenticator(await halfSignIn(strict, email))
    const half = await halfSignIn(strict, email)
    const calls: [string, object?][] = [
      ['/api/v1/login/set_up/authenticator'],
      ['/api/v1/login/set_up/authenticator/confirm', { code: '123456' }],
      ['/api/v1/login/set_up/passkey/options'],
      ['/api/v1/login/set_up/passkey', { name: 'Laptop', answer: {} }],
    ]
    for (const [url, body] of calls) expect((await half('POST', url, body)).status).toBe(403)
    await strict.app.close()
  })
})

test('a sign-in that is not finished ends after ten minutes', async () => {
  const strict = await requiring('all')
  const { id, email } = await watchdesk.createPerson()
  const half = await halfSignIn(strict, email)
  await watchdesk.database.pool.query(
    "update pending_sign_ins set expires_at = expires_at - interval '10 minutes' where user_id = $1",
    [id],
  )
  expect(await half('POST', '/api/v1/login/set_up/authenticator')).toMatchObject({
    status: 401,
    body: { detail: 'This sign-in has expired. Start again.' },
  })
  await strict.app.close()
})
