import { expect, test } from 'vitest'
import { caller, PASSWORD, startAnother, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { createSemaphores, Semaphore, tooManySignIns } from '../../../semaphore.ts'
import { createPasswords } from './passwords.ts'

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

test('sign-ins do not wait for password changes, nor these for sign-ins', async () => {
  const semaphores = createSemaphores(watchdesk.deps.env)
  const passwords = createPasswords(watchdesk.deps.env, semaphores)
  const known = await passwords.hash(NEW)
  const releaseChange = await semaphores.passwordChanges.acquire()
  expect(await passwords.verify(known, NEW)).toBe(true)
  expect(await passwords.verify(undefined, NEW)).toBe(false)
  releaseChange()
  for (let taken = 0; taken < semaphores.signInHashes.limit; taken += 1) await semaphores.signInHashes.acquire()
  expect(await passwords.change(1, () => passwords.verifyOwn(known, NEW))).toBe(true)
})

test('few passwords are changed at a time, a few changes wait, and the rest are turned away', async () => {
  const { env } = watchdesk.deps
  const passwordChanges = new Semaphore({ limit: 1, maxWaiting: 3, refuse: tooManySignIns })
  const passwords = createPasswords(env, { ...createSemaphores(env), passwordChanges })
  const change = (user: number) => passwords.change(user, () => passwords.hash(PASSWORD))
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, user) => change(user)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  for (const result of results) if (result.status === 'rejected') expect(result.reason.status).toBe(503)
  expect(await change(1)).toMatch(/^\$argon2id\$/)
})
