import type { Session } from '@watchdesk/contract/session'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import type { App } from '../../deps.ts'
import { unavailable } from '../../problem.ts'
import { caller, PASSWORD, useWatchdesk } from '../../testing/watchdesk.ts'

const watchdesk = useWatchdesk()

/** Two replicas on one database; together they count how many passwords they check. */
let replicas: [App, App]
let hashed = 0
let email: string

beforeAll(async () => {
  const { deps } = watchdesk
  const passwords = {
    ...deps.passwords,
    verify: (passwordHash: string | undefined, password: string) => {
      hashed += 1
      return deps.passwords.verify(passwordHash, password)
    },
  }
  replicas = [await buildApp({ ...deps, passwords }), await buildApp({ ...deps, passwords })]
})
afterAll(() => Promise.all(replicas.map((replica) => replica.close())))
beforeEach(async () => {
  email = (await watchdesk.createUser({ is_admin: true })).email
  hashed = 0
})

function login(password: string, { to = email, at = replicas[0] } = {}) {
  return caller(at, '')<Session>('POST', '/api/v1/login', { email: to, password })
}

async function fail(times: number, options = {}) {
  for (let attempt = 0; attempt < times; attempt++) {
    expect((await login(`wrong password ${attempt}`, options)).status).toBe(401)
  }
}

function inParallel(times: number, password: string) {
  return Promise.all(
    Array.from({ length: times }, (_, index) => login(password, { at: replicas[index % 2 === 0 ? 0 : 1] })),
  )
}

/** As if that much time had gone by since the last attempt. */
async function age(interval: string) {
  await watchdesk.database.pool.query(
    'update login_failures set changed_at = changed_at - $1::interval where email = $2',
    [interval, email],
  )
}

test('ten failures lock an email for ten minutes, with the answer of a wrong password', async () => {
  const wrong = await login('wrong password')
  await fail(9)
  const locked = await login(PASSWORD)
  expect([locked.status, locked.body]).toEqual([wrong.status, wrong.body])
  expect(Object.keys(locked.headers)).toEqual(Object.keys(wrong.headers))
  expect(hashed).toBe(10)
  await age('9 minutes 50 seconds')
  expect((await login(PASSWORD)).status).toBe(401)
  await age('10 seconds')
  expect((await login(PASSWORD)).status).toBe(200)
})

test('nine failures do not lock', async () => {
  await fail(9)
  expect((await login(PASSWORD)).status).toBe(200)
})

test('the letter case of the email makes no second counter', async () => {
  await fail(5)
  await fail(5, { to: email.toUpperCase() })
  expect((await login(PASSWORD)).status).toBe(401)
})

test('an unknown email is locked like a known one', async () => {
  await fail(15, { to: 'nobody@example.com' })
  expect(hashed).toBe(10)
})

test('another email is not locked with it', async () => {
  const other = await watchdesk.createUser({ is_admin: true })
  await fail(10)
  expect((await login(PASSWORD, { to: other.email })).status).toBe(200)
})

test('failures at two replicas add up, and both lock', async () => {
  await fail(5, { at: replicas[0] })
  await fail(5, { at: replicas[1] })
  expect((await login(PASSWORD, { at: replicas[0] })).status).toBe(401)
  expect((await login(PASSWORD, { at: replicas[1] })).status).toBe(401)
  expect(hashed).toBe(10)
})

test('a successful login starts the count anew, and ten more failures lock again', async () => {
  for (let round = 0; round < 2; round++) {
    await fail(9)
    expect((await login(PASSWORD)).status).toBe(200)
  }
  await fail(10)
  expect((await login(PASSWORD)).status).toBe(401)
})

test('of 200 wrong logins at once, at two replicas, at most ten passwords are checked', async () => {
  const answers = await inParallel(200, 'wrong password')
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
  expect(hashed).toBe(10)
  expect((await login(PASSWORD)).status).toBe(401)
})

test.each([0, 9])('100 right logins at once all succeed while %i failures stand', async (failures) => {
  await fail(failures)
  const answers = await inParallel(100, PASSWORD)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(100)
})

test('a login that the server was too busy to check is no failure', async () => {
  const { deps } = watchdesk
  const verify = () => Promise.reject(unavailable('Too many sign-ins at once.'))
  const busy = await buildApp({ ...deps, passwords: { ...deps.passwords, verify } })
  for (let attempt = 0; attempt < 12; attempt++) {
    expect((await login(PASSWORD, { at: busy })).status).toBe(503)
  }
  expect((await login(PASSWORD)).status).toBe(200)
  await busy.close()
})

test('logins that a killed server never finished hold nobody up for more than half a minute', async () => {
  await fail(1)
  await watchdesk.database.pool.query('update login_failures set pending = 10 where email = $1', [email])
  await age('31 seconds')
  expect((await login(PASSWORD)).status).toBe(200)
})
