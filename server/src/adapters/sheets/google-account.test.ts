import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { useFolder } from '../../../test/helpers/folder.ts'
import { openGoogle, startGoogle } from '../../../test/helpers/google.ts'
import { StartError } from '../../env.ts'
import { readServiceAccount } from './google-account.ts'

const google = await startGoogle()
const folder = useFolder()
afterAll(() => google.stop())
beforeEach(() => google.calm())

const SECRET = google.account.key.export({ type: 'pkcs8', format: 'pem' }).toString()
const KEY = {
  type: 'service_account',
  client_email: google.account.email,
  private_key: SECRET,
  private_key_id: 'key-1',
  token_uri: 'https://oauth2.googleapis.com/token',
}
const shared = google.add({ readers: new Set([google.account.email]) })
const tokenCalls = () => google.lines().filter((line) => line === 'POST /token').length

async function keyFile(content: unknown) {
  const file = join(folder, 'key.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

describe('the key file', () => {
  test('of a service account signs what Google accepts', async () => {
    const account = await readServiceAccount(await keyFile(KEY))
    const sheets = openGoogle(account, { ...google.settings, token: `${google.origin}/token` })
    expect(account.email).toBe(google.account.email)
    expect(await sheets.read(shared.id)).toMatchObject({ id: shared.id })
  })

  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  test.each([
    ['is not valid JSON', `{"private_key":"${SECRET}`],
    ['is not the key of a service account', { ...KEY, type: 'authorized_user' }],
    ['is not the key of a service account', 'null'],
    ['has no client_email', { ...KEY, client_email: undefined }],
    ['has no private_key', { ...KEY, private_key: undefined }],
    ['has a private_key that is not an RSA key', { ...KEY, private_key: `${SECRET.slice(0, 60)}` }],
    ['has a private_key that is not an RSA key', { ...KEY, private_key: ec }],
    ['has a token_uri that is not an https address', { ...KEY, token_uri: 'http://oauth2.googleapis.com/token' }],
  ])('that %s stops the start with one line', async (what, content) => {
    const error = await readServiceAccount(await keyFile(content)).catch((refusal: unknown) => refusal)
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toMatch(/^GOOGLE_APPLICATION_CREDENTIALS: the file .+$/)
    expect((error as Error).message).not.toContain(SECRET.slice(30, 60))
    if (content !== 'null') expect((error as Error).message).toContain(what)
  })

  test('that is missing stops it too', async () => {
    await expect(readServiceAccount(join(folder, 'none.json'))).rejects.toThrow(
      'GOOGLE_APPLICATION_CREDENTIALS: the file cannot be read (ENOENT)',
    )
  })
})

describe('a token', () => {
  const sheets = () => openGoogle(google.account, google.settings)

  test('is requested for each call, and used for all that it sends', async () => {
    const { read, create } = sheets()
    await Promise.all([read(shared.id), read(shared.id)])
    expect(tokenCalls()).toBe(2)
    await create({ rows: [['1', '2']] }, 'olena@example.com')
    expect(tokenCalls()).toBe(3)
  })

  test('that is refused is the fault of the key', async () => {
    google.fail(/\/v4\//, { status: 401, body: { error: { code: 401, status: 'UNAUTHENTICATED' } } })
    await expect(sheets().read(shared.id)).rejects.toThrow(
      `Google did not accept the key of ${google.account.email}. Ask your administrator to check the key file and the clock of this server.`,
    )
    expect(tokenCalls()).toBe(1)
  })

  test('is not given for the key of another', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const foreign = openGoogle({ ...google.account, key: privateKey }, google.settings)
    await expect(foreign.read(shared.id)).rejects.toThrow('Google did not accept the key of')
    expect(tokenCalls()).toBe(1)
  })
})
