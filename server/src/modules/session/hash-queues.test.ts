import { expect, test } from 'vitest'
import { caller, PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { buildApp } from '../../app.ts'
import { createSemaphores, Semaphore } from '../../semaphore.ts'
import { createPasswords } from './passwords.ts'

const CONNECTIONS = 260
const NEW = 'another staple 8'

const watchdesk = useWatchdesk()

async function workspaceAdmin() {
  const { id: workspace_id } = await watchdesk.createWorkspace()
  const user = await watchdesk.createUser({ workspace_id, is_admin: true })
  const target = await watchdesk.createUser({ workspace_id })
  return { user, target, call: await watchdesk.signIn(user.email) }
}

test.each([
  ['a user of another workspace', 404],
  ['a super admin', 403],
  ['a user that has changed since', 412],
])('a new password for %s is refused without hashing it', async (what, status) => {
  const { deps } = watchdesk
  let hashed = 0
  const hash: typeof deps.passwords.hash = (...given) => {
    hashed += 1
    return deps.passwords.hash(...given)
  }
  const counting = await buildApp({ ...deps, passwords: { ...deps.passwords, hash } })
  const { user, target, call } = await workspaceAdmin()
  const boss = await watchdesk.createUser({ workspace_id: user.workspace_id, is_super_admin: true })
  const id = status === 404 ? 1 : status === 403 ? boss.id : target.id
  const headers = { ...(status === 412 && { 'if-match': '"9"' }) }
  const response = await caller(counting, call.token)('PATCH', `/api/v1/users/${id}`, { password: NEW }, headers)
  await counting.close()
  expect([what, response.status, hashed]).toEqual([what, status, 0])
})

test('sign-ins do not share a queue with password changes', async () => {
  const { env } = watchdesk.deps
  const single = () => new Semaphore({ limit: 1, maxWaiting: 0 })
  const semaphores = { ...createSemaphores(env), signInHashes: single(), passwordHashes: single() }
  const passwords = createPasswords(env, semaphores)
  const known = await passwords.hash(NEW)
  expect(await passwords.verify(undefined, NEW)).toBe(false)
  // With a concurrency of one and an empty queue, two calls that share a semaphore could not both succeed.
  for (const change of [() => passwords.hash(NEW), () => passwords.verifyOwn(known, NEW)]) {
    const [isRight] = await Promise.all([passwords.verify(known, NEW), change()])
    expect(isRight).toBe(true)
  }
})

test(`of ${CONNECTIONS} concurrent password changes by one admin, most get 429 with Retry-After`, async () => {
  const { target, call } = await workspaceAdmin()
  const change = () => call('PATCH', `/api/v1/users/${target.id}`, { password: NEW })
  const responses = await Promise.all(Array.from({ length: CONNECTIONS }, change))
  const refused = responses.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers, body } of refused) {
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(body).toEqual({ detail: 'You are setting too many passwords at once. Wait a moment and try again.' })
  }
  expect(responses.filter(({ status }) => ![200, 429, 503].includes(status))).toEqual([])
  expect((await change()).status).toBe(200)
})

test(`sign-ins do not wait for ${CONNECTIONS} running password changes`, async () => {
  const { limit } = watchdesk.deps.semaphores.passwordChangesPerUser
  const admins = await Promise.all(Array.from({ length: CONNECTIONS / limit }, () => workspaceAdmin()))
  const { email } = await watchdesk.createUser({ is_admin: true })
  let changed = 0
  const changes = admins.flatMap(({ target, call }) =>
    Array.from({ length: limit }, async () => {
      const response = await call('PATCH', `/api/v1/users/${target.id}`, { password: NEW })
      if (response.status === 200) changed += 1
      return response
    }),
  )
  const login = async (): Promise<number> => {
    const { status } = await watchdesk.anonymous('POST', '/api/v1/login', { email, password: PASSWORD })
    // The burst may keep the database of a slow machine busy for a moment.
    return status === 503 ? login() : status
  }
  const statuses = [await login(), await login(), await login()]
  const before = changed
  const responses = await Promise.all(changes)
  expect(statuses).toEqual([200, 200, 200])
  expect(before).toBeLessThan(CONNECTIONS / 2)
  expect(responses.filter(({ status }) => ![200, 503].includes(status))).toEqual([])
})
