import { GENERATED_PASSWORD_LENGTH } from '@watchdesk/contract/limits'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '../../test/helpers/watchdesk.ts'
import { readEnv, StartError } from '../env.ts'
import { createPasswords } from '../modules/auth/session/passwords.ts'
import { readCatalog } from '../modules/catalog/catalog.ts'
import { createSemaphores } from '../semaphore.ts'
import { bootstrap } from './bootstrap.ts'
import type { Database } from './open.ts'

let database: Database
beforeEach(async () => {
  database = await cloneDatabase()
})
afterEach(() => database.close())

async function start(settings: Record<string, string> = {}) {
  const env = readEnv(settings)
  const passwords = createPasswords(env, createSemaphores(env))
  const websiteConfig = await readCatalog(undefined)
  return { first: await bootstrap({ db: database.db, env, hash: passwords.hash, websiteConfig }), passwords }
}

async function users() {
  const { rows } = await database.pool.query('select email, password_hash, is_super_admin, workspace_id from users')
  return rows
}

test('an empty database gets a workspace Internal and one super admin, whose generated password is returned', async () => {
  const { first, passwords } = await start()
  expect(first).toEqual({
    email: 'admin@watchdesk.local',
    password: expect.stringMatching(/^[A-Za-z0-9!@#$%^&*()]{17}$/),
  })
  const [admin, ...others] = await users()
  expect(others).toEqual([])
  expect(admin).toMatchObject({ email: 'admin@watchdesk.local', is_super_admin: true })
  expect(await passwords.verify(admin.password_hash, String(first?.password))).toBe(true)
  const { rows } = await database.pool.query('select id, name, status from workspaces')
  expect(rows).toEqual([{ id: admin.workspace_id, name: 'Internal', status: 'INTERNAL' }])
})

test('a configured email and password are used, and the password is not returned', async () => {
  const settings = { BOOTSTRAP_ADMIN_EMAIL: 'Olena@Example.com', BOOTSTRAP_ADMIN_PASSWORD: 'correct horse 9' }
  const { first, passwords } = await start(settings)
  expect(first).toEqual({ email: 'Olena@Example.com', password: undefined })
  expect(await passwords.verify((await users())[0]?.password_hash, 'correct horse 9')).toBe(true)
})

test('a database with data is left alone', async () => {
  await start()
  const before = await users()
  expect((await start({ BOOTSTRAP_ADMIN_EMAIL: 'other@example.com' })).first).toBeUndefined()
  expect(await users()).toEqual(before)
})

test('one of multiple replicas that start together initializes the database', async () => {
  const started = await Promise.all(Array.from({ length: 5 }, () => start()))
  expect(started.filter(({ first }) => first)).toHaveLength(1)
  expect(await users()).toHaveLength(1)
})

test('the generated password is long enough for every minimum that can be set', async () => {
  expect((await start({ PASSWORD_MIN_LENGTH: String(GENERATED_PASSWORD_LENGTH) })).first?.password).toHaveLength(17)
})

test.each([
  ['short', 'The password needs at least 8 characters.'],
  ['password1', 'This password is too common. Choose one that is harder to guess, or generate one.'],
])('the password %s stops the start with one line that names the setting', async (password, message) => {
  const error = await start({ BOOTSTRAP_ADMIN_PASSWORD: password }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  expect(error.message).toBe(`Bad setting. BOOTSTRAP_ADMIN_PASSWORD: ${message}`)
  expect(await users()).toEqual([])
})
