import { createHash } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { AuditEvent } from '@watchdesk/contract/activity'
import type { Page } from '@watchdesk/contract/page'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertUser } from '../../../../test/helpers/people.ts'
import { PASSWORD, startAnother, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { buildApp } from '../../../app.ts'
import type { App } from '../../../plugins/contract.ts'
import { unavailable } from '../../../problem.ts'
import { networkOf } from './lockout.ts'

const watchdesk = useWatchdesk()
/** Cheap to check, because only the number of checks matters here. */
const PASSWORD_HASH = await hash(PASSWORD, { memoryCost: 8, timeCost: 1 })

function createUser(account: { workspace_id?: number; is_super_admin?: boolean } = {}) {
  return insertUser(watchdesk, { workspace_id: 1, is_admin: true, password_hash: PASSWORD_HASH, ...account })
}

/** Two replicas on one database, which count the passwords they check. */
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
  email = (await createUser()).email
  hashed = 0
})

async function login(password: string, { to = email, at = replicas[0], from = '192.0.2.7' } = {}) {
  const payload = { email: to, password }
  const response = await at.inject({ method: 'POST', url: '/api/v1/login', payload, remoteAddress: from })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
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

/** Moves the last attempt into the past. */
async function age(interval: string) {
  await watchdesk.database.pool.query(
    'update failed_sign_ins set changed_at = changed_at - $1::interval where email_hash = $2',
    [interval, hashOf(email)],
  )
}

/** As if this many wrong passwords had been entered in a network. */
async function failEarlier(failures: number, from = '203.0.113.1') {
  await watchdesk.database.pool.query(
    `insert into failed_sign_ins (email_hash, network, failures, pending, changed_at) values ($1, $2, $3, 0, now())
     on conflict (email_hash, network) do update set failures = $3, changed_at = now()`,
    [hashOf(email), networkOf(from), failures],
  )
}

function hashOf(text: string) {
  return createHash('sha256').update(text).digest()
}

/** An address in a different network for each number. */
function network(number: number) {
  return `198.${18 + Math.floor(number / 200)}.${number % 200}.1`
}

test('ten failures lock an email for ten minutes for their network, with the same response as a wrong password', async () => {
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

test('the case of the email does not matter', async () => {
  await fail(5)
  await fail(5, { to: email.toUpperCase() })
  expect((await login(PASSWORD)).status).toBe(401)
})

test('an unknown email is locked like a known one', async () => {
  await fail(15, { to: 'nobody@example.com' })
  expect(hashed).toBe(10)
})

test('another email is not locked', async () => {
  const other = await createUser()
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

test('a successful login resets the count, and ten more failures lock again', async () => {
  for (let round = 0; round < 2; round++) {
    await fail(9)
    expect((await login(PASSWORD)).status).toBe(200)
  }
  await fail(10)
  expect((await login(PASSWORD)).status).toBe(401)
})

test('of 50 concurrent wrong logins on two replicas, at most ten passwords are checked', async () => {
  const responses = await inParallel(50, 'wrong password')
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]))
  expect(hashed).toBe(10)
  expect((await login(PASSWORD)).status).toBe(401)
})

test.each([0, 9])('25 concurrent correct logins all succeed after %i failures', async (failures) => {
  await fail(failures)
  const responses = await inParallel(25, PASSWORD)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(responses.map(({ body }) => body.access_token)).size).toBe(25)
})

test('a login that the server was too busy to check does not count as a failure', async () => {
  const { deps } = watchdesk
  const verify = () => Promise.reject(unavailable('Too many sign-ins at once.'))
  const busy = await startAnother(watchdesk, { passwords: { ...deps.passwords, verify } })
  for (let attempt = 0; attempt < 12; attempt++) {
    expect((await login(PASSWORD, { at: busy.app })).status).toBe(503)
  }
  expect((await login(PASSWORD)).status).toBe(200)
})

test('unfinished logins of a killed server block others for at most half a minute', async () => {
  await fail(1)
  await watchdesk.database.pool.query('update failed_sign_ins set pending = 10 where email_hash = $1', [hashOf(email)])
  await age('31 seconds')
  expect((await login(PASSWORD)).status).toBe(200)
})

describe('an attacker who enters wrong passwords', () => {
  test('locks their own network, not the owner', async () => {
    await fail(10)
    expect((await login(PASSWORD)).status).toBe(401)
    expect((await login(PASSWORD, { from: '192.0.3.7' })).status).toBe(200)
    expect((await login(PASSWORD)).status).toBe(401)
  })

  test.each([
    ['192.0.2.1', '192.0.2.254', true],
    ['192.0.2.1', '::ffff:192.0.2.9', true],
    ['192.0.2.1', '192.0.3.1', false],
    ['2001:db8:7::1', '2001:db8:7:ffff:1:2:3:4', true],
    ['2001:0DB8:0007::1', '2001:db8:7::2', true],
    ['2001:db8:7::1', '2001:db8:8::1', false],
    ['::1', '2001:db8:7::1', false],
  ])('at %s and %s has one counter: %s', async (one, other, isShared) => {
    await fail(5, { from: one })
    await fail(5, { from: other })
    expect((await login(PASSWORD, { from: one })).status).toBe(isShared ? 401 : 200)
  })

  test('in twenty networks locks the owner too: the limit per email is 200 failures', async () => {
    await failEarlier(199)
    expect((await login(PASSWORD)).status).toBe(200)
    await fail(1, { from: network(19) })
    hashed = 0
    expect((await login(PASSWORD)).status).toBe(401)
    expect(hashed).toBe(0)
    await age('10 minutes')
    expect((await login(PASSWORD)).status).toBe(200)
  })

  test('in two networks never reaches that limit', async () => {
    for (let round = 0; round < 24; round++) {
      await failEarlier(9, network(round % 2))
      await fail(1, { from: network(round % 2) })
      await age('6 minutes')
    }
    expect((await login(PASSWORD)).status).toBe(200)
  })

  test('gets at most 200 passwords checked from 60 networks concurrently, on two replicas', async () => {
    await failEarlier(180)
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        login('wrong password', { from: network(index), at: replicas[index % 2 === 0 ? 0 : 1] }),
      ),
    )
    expect(responses.filter(({ status }) => status !== 401 && status !== 503)).toEqual([])
    expect(hashed).toBeLessThanOrEqual(20)
  })
})

describe('an admin', () => {
  async function lock(user: { email: string; id: number }) {
    await fail(10, { to: user.email })
    const { body } = await watchdesk.admin<{ locked_until?: string }>('GET', `/api/v1/users/${user.id}`)
    return body.locked_until
  }

  test('sees when the lock of an account ends, and unlocks it', async () => {
    const user = await createUser()
    const url = `/api/v1/users/${user.id}`
    expect((await watchdesk.admin('GET', url)).body).not.toHaveProperty('locked_until')
    const minutes = (Date.parse(String(await lock(user))) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(8)
    expect(minutes).toBeLessThanOrEqual(10)
    expect((await watchdesk.admin('POST', `${url}/unlock`)).status).toBe(204)
    expect((await watchdesk.admin('GET', url)).body).not.toHaveProperty('locked_until')
    expect((await login(PASSWORD, { to: user.email })).status).toBe(200)
    const { objects } = (
      await watchdesk.admin<Page<AuditEvent>>('GET', `/api/v1/audit/?entity=user&entity_id=${user.id}`)
    ).body
    expect(objects[0]).toMatchObject({ action: 'unlock', actor: { id: 1 }, changes: {} })
  })

  test('of a workspace unlocks its users, but neither those of others nor a super admin', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace()
    const admin = await createUser({ workspace_id })
    const call = await watchdesk.signIn(admin.email)
    const own = await createUser({ workspace_id })
    const boss = await createUser({ workspace_id, is_super_admin: true })
    const foreign = await createUser()
    const statuses = []
    for (const user of [own, boss, foreign]) {
      expect(await lock(user)).toBeDefined()
      statuses.push((await call('POST', `/api/v1/users/${user.id}/unlock`)).status)
      statuses.push((await login(PASSWORD, { to: user.email })).status)
    }
    expect(statuses).toEqual([204, 200, 403, 401, 404, 401])
  })

  test('who sets a new password unlocks the account', async () => {
    const user = await createUser()
    expect(await lock(user)).toBeDefined()
    await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { password: 'another staple 8' })
    expect((await login('another staple 8', { to: user.email })).status).toBe(200)
  })
})

describe('the audit log', () => {
  async function failures(query: string) {
    const url = `/api/v1/audit/?entity=session&page_size=100${query}`
    const { body } = await watchdesk.admin<Page<AuditEvent>>('GET', url)
    return body.objects.filter(({ action }) => action === 'login_failed')
  }

  test('has one event for each failed sign-in to an account, and none for attempts while it is locked', async () => {
    const { id, ...user } = await createUser()
    await fail(13, { to: user.email })
    const events = await failures(`&entity_id=${id}`)
    expect(events).toHaveLength(10)
    for (const event of events) expect(event).toMatchObject({ actor: null, ip: '192.0.2.7', changes: {} })
  })

  test('has one event every ten minutes for all emails without an account, without the email', async () => {
    for (let number = 0; number < 15; number++) await fail(1, { to: `my.secret@password${number}.com` })
    const { rows } = await watchdesk.database.pool.query(
      `select from audit_events where audit_events::text like '%my.secret%'
       union all select from failed_sign_ins where failed_sign_ins::text like '%my.secret%'`,
    )
    expect(rows).toHaveLength(0)
    const unknown = await watchdesk.database.pool.query(
      `select at from audit_events where action = 'login_failed' and entity_id is null`,
    )
    expect(unknown.rows).toHaveLength(1)
  })
})
