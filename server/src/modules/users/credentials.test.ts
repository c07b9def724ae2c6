import { beforeEach, describe, expect, test } from 'vitest'
import { type Caller, PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const NEW = 'another staple 8'
const WRONG = 'The current password is wrong. After ten wrong attempts, you have to wait ten minutes.'

let user: { id: number; email: string; version: number }
let me: Caller
beforeEach(async () => {
  user = await watchdesk.createUser({ is_admin: true })
  me = await watchdesk.signIn(user.email)
})

const edit = (body: object, call = me) => call('PATCH', `/api/v1/users/${user.id}`, body)
const refused = (msg: string) => ({
  status: 422,
  body: { detail: [{ loc: ['body', 'current_password'], msg, type: 'value_error' }] },
})
const isSignedIn = async (call: Caller) => (await call('GET', '/api/v1/users/me')).status === 200
const login = (email: string, password: string) => watchdesk.anonymous('POST', '/api/v1/login', { email, password })

describe('for your own account', () => {
  const age = (minutes: number) =>
    watchdesk.database.pool.query(
      'update sessions set proved_at = now() - make_interval(mins => $1) where user_id = $2',
      [minutes, user.id],
    )

  test.each([
    ['password', { password: NEW }],
    ['email', { email: 'somewhere.else@example.com' }],
    ['email in other letter cases', { email: 'USER@example.com' }],
    ['password together with a name', { first_name: 'Hanna', password: NEW }],
  ])('the %s changes after a recent sign-in, and later only with the current password', async (_what, body) => {
    await age(16)
    const { status, headers } = await edit(body)
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('insufficient_user')])
    expect(await edit({ ...body, current_password: 'not the password' })).toMatchObject(refused(WRONG))
    const { body: unchanged } = await me('GET', `/api/v1/users/${user.id}`)
    expect(unchanged).toMatchObject({ email: user.email, first_name: 'Test', version: 1 })
    expect((await edit({ ...body, current_password: PASSWORD })).status).toBe(200)
    await age(14)
    expect((await edit({ email: `later.${user.email}`, password: 'yet another 9 staple' })).status).toBe(200)
  })

  test('a wrong current password is refused after a recent sign-in too', async () => {
    expect(await edit({ password: NEW, current_password: 'not the password' })).toMatchObject(refused(WRONG))
  })

  test('other fields change without it, also together with the unchanged email', async () => {
    const { email } = user
    expect((await edit({ first_name: 'Hanna', email, language: 'UK' })).status).toBe(200)
    expect((await edit({ last_name: 'Sun', current_password: 'whatever it is' })).status).toBe(200)
  })

  test('a new password keeps the current session and ends all others', async () => {
    const others = [await watchdesk.signIn(user.email), await watchdesk.signIn(user.email)]
    expect((await edit({ password: NEW, current_password: PASSWORD })).status).toBe(200)
    expect(await isSignedIn(me)).toBe(true)
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false])
    expect((await login(user.email, PASSWORD)).status).toBe(401)
    expect((await login(user.email, NEW)).status).toBe(200)
  })

  test('errors in the new password are reported before the current one is checked', async () => {
    expect(await edit({ password: 'Password1' })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'password'] }] },
    })
  })

  test('ten wrong ones lock this and the sign-in: then even the right one is rejected, until another admin unlocks the account', async () => {
    const attempts = Array.from({ length: 10 }, (_, index) => ({
      password: NEW,
      current_password: `wrong one ${index}`,
    }))
    for (const body of attempts) expect(await edit(body)).toMatchObject(refused(WRONG))
    expect(await edit({ password: NEW, current_password: PASSWORD })).toMatchObject(refused(WRONG))
    expect((await login(user.email, PASSWORD)).status).toBe(401)
    expect(await me('POST', `/api/v1/users/${user.id}/unlock`)).toMatchObject({
      status: 403,
      body: { detail: 'Only another admin can unlock your account.' },
    })
    expect(await edit({ password: NEW, current_password: PASSWORD })).toMatchObject(refused(WRONG))
    await watchdesk.admin('POST', `/api/v1/users/${user.id}/unlock`)
    expect((await edit({ password: NEW, current_password: PASSWORD })).status).toBe(200)
  })
})

describe('for another account', () => {
  test('an admin changes password and email without it, and a new password ends all sessions of that user', async () => {
    const other = await watchdesk.signIn(user.email)
    const body = { email: `new.${user.email}`, password: NEW }
    expect((await edit(body, watchdesk.admin)).status).toBe(200)
    expect([await isSignedIn(me), await isSignedIn(other), await isSignedIn(watchdesk.admin)]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('a current password is rejected', async () => {
    expect(await edit({ password: NEW, current_password: PASSWORD }, watchdesk.admin)).toMatchObject(
      refused('Leave out current_password: it is only for changes to your own account.'),
    )
  })
})
