import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decrypt, encrypt, keyFrom } from '../../../cipher.ts'
import { type Env, StartError } from '../../../env.ts'
import { makeFolder } from '../../../make-folder.ts'
import { conflict } from '../../../problem.ts'
import { randomToken } from '../../../token.ts'

const KEY_FILE = 'secret-key'
const MIN_LENGTH = 32

export type SecretKey = ReturnType<typeof createSecretKey>

/** The secret was encrypted with another key, or for another user. */
export class Unreadable extends Error {}

type Settings = Pick<Env, 'SECRET_KEY' | 'DATABASE_URL' | 'DATA_DIR'>

/** Encrypts the secrets of authenticator apps, so that a copy of the database is not enough to compute codes. */
export function createSecretKey({ SECRET_KEY, DATABASE_URL, DATA_DIR }: Settings) {
  const path = join(DATA_DIR, KEY_FILE)
  // Several servers of one database would have different files, so they need the setting.
  const isAvailable = SECRET_KEY !== undefined || DATABASE_URL === undefined
  let known: Buffer | undefined

  const place = SECRET_KEY === undefined ? path : 'the one in SECRET_KEY'
  const file = SECRET_KEY === undefined ? `restore the file ${path}` : `remove SECRET_KEY to use the file ${path}`
  const remedy = `set the SECRET_KEY that was used before, ${DATABASE_URL === undefined ? `or ${file}` : 'the same on every server'}`

  return { isAvailable, place, remedy, load, seal, open: unseal }

  /** Returns whether there is a key. Called at the start: nobody notices a broken file until it is needed. It is never replaced by another key. */
  async function load() {
    if (!isAvailable || SECRET_KEY !== undefined) return isAvailable
    try {
      known = keyOf(await readFile(path, 'utf8'))
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw new StartError(
        `The key file ${path} cannot be used: ${(error as Error).message}. Restore it from a backup, and let the server read it. ` +
          'If it is lost, delete it and run npm run new-secret-key: users who have an authenticator app then have to set it up again.',
      )
    }
  }

  async function seal(user_id: number, secret: Buffer): Promise<Buffer> {
    if (!isAvailable)
      throw conflict('Authenticator apps need the setting SECRET_KEY. Ask your operator, or add a passkey.')
    known ??= keyOf(SECRET_KEY ?? (await readFile(path, 'utf8').catch((error) => createKeyFile(path, error))))
    return encrypt(known, secret, ownerOf(user_id))
  }

  async function unseal(user_id: number, sealed: Buffer): Promise<Buffer> {
    if (!isAvailable) throw new Unreadable('SECRET_KEY is not set')
    known ??= keyOf(SECRET_KEY ?? (await readFile(path, 'utf8').catch(asUnreadable)))
    try {
      return decrypt(known, sealed, ownerOf(user_id))
    } catch {
      throw new Unreadable(`it was encrypted with another key than ${place}`)
    }
  }
}

function asUnreadable(error: Error): never {
  throw new Unreadable(`the key cannot be read: ${error.message}`)
}

function keyOf(text: string) {
  // A file that was emptied must not become a key that everybody knows.
  if (text.trim().length < MIN_LENGTH) throw new Unreadable('the key is too short')
  return keyFrom(text.trim(), 'watchdesk authenticator apps')
}

function ownerOf(user_id: number) {
  return `user ${user_id}`
}

function isMissing(error: unknown) {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** The file appears with its content, so another process that starts at the same time uses the same key. */
async function createKeyFile(path: string, reason: unknown) {
  if (!isMissing(reason)) throw reason
  await makeFolder(join(path, '..'))
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, `${randomToken()}\n`, { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(path, 'utf8')
}
