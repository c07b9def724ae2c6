import { expect, test } from 'vitest'
import { caller, PASSWORD, startAnother, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { createSemaphores, Semaphore, tooManySignIns } from '../../../semaphore.ts'
import { createPasswords, type Passwords } from './passwords.ts'

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
  const counting = await startAnother(watchdesk, { passwords: { ...deps.passwords, hash } })
  const { user, target, call } = await workspaceAdmin()
  const boss = await watchdesk.createUser({ workspace_id: user.workspace_id, is_super_admin: true })
  const id = status === 404 ? 1 : status === 403 ? boss.id : target.id
  const headers = { ...(status === 412 && { 'if-match': '"9"' }) }
  const response = await caller(counting.app, call.token)('PATCH', `/api/v1/users/${id}`, { password: NEW }, headers)
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

test.each([
  ['of sign-ins', 5, (passwords: Passwords) => passwords.verify(undefined, PASSWORD)],
  ['that are set', 4, (passwords: Passwords) => passwords.hash(PASSWORD)],
])(
  'passwords %s are hashed a few at a time, a few wait for that, and the rest are turned away',
  async (_, most, work) => {
    const { env } = watchdesk.deps
    const small = (limit: number) => new Semaphore({ limit, maxWaiting: 3, refuse: tooManySignIns })
    const semaphores = { ...createSemaphores(env), signInHashes: small(2), passwordHashes: small(1) }
    const passwords = createPasswords(env, semaphores)
    await work(passwords)
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => work(passwords)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(most)
    for (const result of results) if (result.status === 'rejected') expect(result.reason.status).toBe(503)
    expect(await passwords.hash(PASSWORD)).toMatch(/^\$argon2id\$/)
  },
)
