import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { useFolder } from '../../../../test/helpers/folder.ts'
import { databaseUrl, runCommand, runMain } from '../../../../test/helpers/replica.ts'
import { addAuthenticator } from '../../../../test/helpers/second-factors.ts'
import { useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { checkSecretKey } from './check-secret-key.ts'
import { createSecretKey } from './secret-key.ts'

const SECRET_KEY = 'a key of at least 32 characters, or more'
const OTHER_KEY = 'another key of at least 32 characters, or more'
const DATABASE_URL = 'postgres://desk@db.example.com/desk'
const watchdesk = useWatchdesk({ SECRET_KEY })
const DATA_DIR = useFolder()
beforeEach(async () => {
  await watchdesk.deps.db.deleteFrom('authenticators').execute()
  await watchdesk.deps.db.deleteFrom('secret_key_check').execute()
})

type Settings = { SECRET_KEY?: string; DATABASE_URL?: string }
const start = (settings: Settings) => checkSecretKey(watchdesk.deps.db, createSecretKey({ DATA_DIR, ...settings }))

test('without a key and without secrets, every server starts and stores nothing', async () => {
  await start({})
  await start({ DATABASE_URL })
  expect(await readdir(DATA_DIR)).toEqual([])
})

test('SECRET_KEY can be removed before it has encrypted anything, but not replaced by another one', async () => {
  await start({ SECRET_KEY, DATABASE_URL })
  await start({ DATABASE_URL })
  await expect(start({ SECRET_KEY: OTHER_KEY, DATABASE_URL })).rejects.toThrow('another key')
})

test('of two servers that start together with different keys, before there is any secret, one does not start', async () => {
  const started = await Promise.allSettled(
    [SECRET_KEY, OTHER_KEY].map((key) => start({ SECRET_KEY: key, DATABASE_URL })),
  )
  expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test.each([
  ['stored with this release', true],
  ['stored with an earlier release', false],
])('secrets %s need their key at the start', async (_, isChecked) => {
  if (isChecked) await start({ SECRET_KEY, DATABASE_URL })
  await addAuthenticator((await watchdesk.createPerson()).call)
  await expect(start({ SECRET_KEY: OTHER_KEY, DATABASE_URL })).rejects.toThrow(
    'The secrets of authenticator apps in the database were encrypted with another key: set the SECRET_KEY that was used ' +
      'before, the same on every server. If that key is lost: npm run new-secret-key',
  )
  await expect(start({ DATABASE_URL })).rejects.toThrow('a key that this server does not have: set the SECRET_KEY')
  await expect(start({})).rejects.toThrow(`used before, or restore the file ${join(DATA_DIR, 'secret-key')}. If`)
  await expect(start({ SECRET_KEY: OTHER_KEY })).rejects.toThrow('used before, or remove SECRET_KEY to use the file')
  await start({ SECRET_KEY, DATABASE_URL })
  expect(await readdir(DATA_DIR)).toEqual([])
})

test('after the key was replaced with an earlier release, the present one is accepted', async () => {
  const { db } = watchdesk.deps
  for (const key of [SECRET_KEY, OTHER_KEY]) {
    const { id } = await watchdesk.createUser({})
    const secret = await createSecretKey({ SECRET_KEY: key, DATA_DIR }).seal(id, Buffer.from('secret'))
    await db.insertInto('authenticators').values({ user_id: id, secret }).execute()
  }
  await start({ SECRET_KEY: OTHER_KEY })
  await expect(start({ SECRET_KEY })).rejects.toThrow('another key')
})

test('a server with another key stops with one line, until npm run new-secret-key accepts that key', async () => {
  await start({ SECRET_KEY, DATABASE_URL })
  const settings = { DATABASE_URL: databaseUrl(watchdesk.database), DATA_DIR, SECRET_KEY: OTHER_KEY }
  const stopped = await runMain(settings)
  expect(stopped).toEqual({ code: 1, output: expect.stringMatching(/^[^\n]*encrypted with another key: [^\n]*\n$/) })
  const accepted = await runCommand('new-secret-key', settings)
  expect(accepted).toEqual({ code: 0, output: expect.stringContaining('is now the one in SECRET_KEY') })
  await start({ SECRET_KEY: OTHER_KEY, DATABASE_URL })
  await expect(start({ SECRET_KEY, DATABASE_URL })).rejects.toThrow('another key')
})
