import { createDecipheriv, hkdfSync } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '@watchdesk/contract/auth/session'
import { beforeEach, describe, expect, test } from 'vitest'
import { useFolder } from '../../../../test/helpers/folder.ts'
import { addAuthenticator, codeOf, halfSignIn } from '../../../../test/helpers/second-factors.ts'
import { caller, startAnother, useWatchdesk } from '../../../../test/helpers/watchdesk.ts'
import { readEnv, StartError } from '../../../env.ts'
import { prepareDeps } from '../../../prepare-deps.ts'
import { createSecretKey, Unreadable } from './secret-key.ts'

const SECRET_KEY = 'a key of at least 32 characters, or more'
const DATABASE_URL = 'postgres://desk@db.example.com/desk'
const secret = Buffer.from('twenty secret bytes!')
const DATA_DIR = useFolder()

test('SECRET_KEY encrypts a secret for one user, differently each time', async () => {
  const key = createSecretKey({ SECRET_KEY, DATABASE_URL, DATA_DIR })
  const sealed = await key.seal(7, secret)
  expect(sealed.includes(secret)).toBe(false)
  expect(sealed.equals(await key.seal(7, secret))).toBe(false)
  expect(await key.open(7, sealed)).toEqual(secret)
  await expect(key.open(8, sealed)).rejects.toThrow(Unreadable)
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
  await expect(key.open(7, sealed)).rejects.toThrow(Unreadable)
  await expect(key.open(7, Buffer.alloc(3))).rejects.toThrow(Unreadable)
  expect(await readdir(DATA_DIR)).toEqual([])
})

test('the cipher is AES-256-GCM, with a new IV each time and the user as additional data', async () => {
  const sealed = await createSecretKey({ SECRET_KEY, DATABASE_URL, DATA_DIR }).seal(7, secret)
  const key = Buffer.from(hkdfSync('sha256', SECRET_KEY, '', 'watchdesk authenticator apps', 32))
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13), { authTagLength: 16 })
  decipher.setAAD(Buffer.from('user 7')).setAuthTag(sealed.subarray(13, 29))
  expect(Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()])).toEqual(secret)
})

test('with the embedded database, servers that start together share a new key file', async () => {
  const keys = Array.from({ length: 5 }, () => createSecretKey({ DATA_DIR }))
  await expect(keys[0]?.open(7, Buffer.alloc(60))).rejects.toThrow('cannot be read')
  const sealed = await Promise.all(keys.map((key) => key.seal(7, secret)))
  for (const each of sealed) expect(await keys[0]?.open(7, each)).toEqual(secret)
  expect(await readdir(DATA_DIR)).toEqual(['secret-key'])
  expect((await stat(join(DATA_DIR, 'secret-key'))).mode & 0o777).toBe(0o600)
  expect(await createSecretKey({ DATA_DIR }).open(7, sealed[0] ?? secret)).toEqual(secret)
})

describe('with a key file', () => {
  const path = () => join(DATA_DIR, 'secret-key')
  const start = () => prepareDeps(readEnv({ DATA_DIR }))
  beforeEach(() => rm(path(), { recursive: true, force: true }))

  test('that is too short, the server does not start, says what to do, and does not touch the file', async () => {
    await writeFile(path(), 'half a key\n')
    const failure = await start().catch((error) => error)
    expect(failure).toBeInstanceOf(StartError)
    expect(failure.message).toBe(
      `The key file ${path()} cannot be used: the key is too short. Restore it from a backup, and let the server read it. ` +
        'If it is lost, delete it and run npm run new-secret-key: users who have an authenticator app then have to set it up again.',
    )
    expect(await readFile(path(), 'utf8')).toBe('half a key\n')
    await expect(createSecretKey({ DATA_DIR }).seal(7, secret)).rejects.toThrow('the key is too short')
  })

  test('that cannot be read, the server does not start', async () => {
    await mkdir(path())
    await expect(start()).rejects.toThrow(StartError)
    await expect(start()).rejects.toThrow('Restore it from a backup')
    await expect(createSecretKey({ DATA_DIR }).seal(7, secret)).rejects.toThrow('EISDIR')
  })

  test('that is missing or not used, the server starts', async () => {
    await start()
    expect(await readdir(DATA_DIR)).toEqual([])
    await writeFile(path(), '')
    await prepareDeps(readEnv({ DATA_DIR, SECRET_KEY }))
  })
})

describe('a server', () => {
  const lines: string[] = []
  const watchdesk = useWatchdesk(
    { SECRET_KEY, LOG_LEVEL: 'error' },
    { logStream: { write: (line) => void lines.push(line) } },
  )

  test('with another key refuses codes, and says what to do; a recovery code still works', async () => {
    const { email, call } = await watchdesk.createPerson()
    const { secret: shown, recovery_codes } = await addAuthenticator(call)
    const { app } = await startAnother(watchdesk, {
      secretKey: createSecretKey({ SECRET_KEY: 'another key of at least 32 characters', DATA_DIR }),
    })
    const half = await halfSignIn(watchdesk, email)
    const enter = (code: string) => caller(app, half.token)<Session>('POST', '/api/v1/login/code', { code })
    const refused = await enter(codeOf(shown, 1))
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('ask an admin to reset') } })
    expect(lines.join('')).toContain('it was encrypted with another key')
    expect((await enter(recovery_codes?.[0] ?? '')).status).toBe(200)
  })

  test('with DATABASE_URL and without SECRET_KEY offers no authenticator apps', async () => {
    const { call } = await watchdesk.createPerson()
    const { app } = await startAnother(watchdesk, { secretKey: createSecretKey({ DATABASE_URL, DATA_DIR }) })
    expect(await caller(app, call.token)('POST', '/api/v1/account/authenticator')).toMatchObject({
      status: 409,
      body: { detail: 'Authenticator apps need the setting SECRET_KEY. Ask your operator, or add a passkey.' },
    })
  })
})
