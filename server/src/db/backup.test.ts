import { Readable } from 'node:stream'
import type { User } from '@watchdesk/contract/users'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase, useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { backup, restore, type Summary } from './backup.ts'
import type { Database } from './open.ts'

const watchdesk = useWatchdesk()

test('a backup restored into an empty database has the same checksums, and new ids continue after the old ones', async () => {
  const workspace = await watchdesk.createWorkspace({ name: 'Медіа\tз "лапками"\nта \\ рисками', roles: ['search'] })
  const users: User[] = []
  while (users.length < 30) users.push(await watchdesk.createUser({ workspace_id: workspace.id }))
  const lastUser = Math.max(...users.map(({ id }) => id))
  await watchdesk.admin('DELETE', `/api/v1/users/${lastUser}`)
  const { bytes, summary } = await backUp(watchdesk.database)

  const copy = await emptyDatabase()
  const restored = await restore(copy.pool, Readable.from([bytes]))

  expect(restored).toEqual(summary)
  expect((await backUp(copy)).summary).toEqual(summary)
  expect(summary.users?.rows).toBe(31)
  const totals = await copy.pool.query(
    `select (live + (select sum(live_change) from list_changes where list = 'users'))::int as live
     from list_totals where list = 'users'`,
  )
  expect(totals.rows).toEqual([{ live: 30 }])
  const next = await copy.pool.query(`select nextval(pg_get_serial_sequence('users', 'id'))::int as id`)
  expect(next.rows[0].id).toBeGreaterThan(lastUser)
})

test('a backup contains no sessions, so that old tokens are invalid after a restore', async () => {
  const { bytes, summary } = await backUp(watchdesk.database)
  expect(Object.keys(summary)).not.toContain('sessions')
  expect(bytes.toString()).not.toContain(watchdesk.admin.token)
})

test('a backup contains no unfinished sign-ins, no links and no mails that wait, but the ways to sign in', async () => {
  const tables = Object.keys((await backUp(watchdesk.database)).summary)
  for (const left of ['pending_sign_ins', 'passkey_challenges', 'one_time_links', 'mails'])
    expect(tables).not.toContain(left)
  expect(tables).toEqual(
    expect.arrayContaining(['users', 'authenticators', 'passkeys', 'recovery_codes', 'api_tokens']),
  )
})

test('a damaged backup restores nothing and fails with an error', async () => {
  const { bytes } = await backUp(watchdesk.database)
  const flipped = Buffer.from(bytes)
  const position = bytes.indexOf('admin@watchdesk.local')
  flipped[position] = 'x'.charCodeAt(0)
  for (const broken of [flipped, bytes.subarray(0, bytes.length - 20), bytes.subarray(0, bytes.length / 2)]) {
    const copy = await emptyDatabase()
    await expect(restore(copy.pool, Readable.from([broken]))).rejects.toThrow(
      /damaged or cut short; nothing was restored/,
    )
    const { rows } = await copy.pool.query('select count(*)::int as users from users')
    expect(rows).toEqual([{ users: 0 }])
  }
})

test('a file that is not a backup is rejected', async () => {
  const copy = await emptyDatabase()
  await expect(restore(copy.pool, Readable.from([Buffer.from('{"a":1}\n')]))).rejects.toThrow(
    'not a backup of Watchdesk',
  )
})

test('a database that is not empty is left unchanged', async () => {
  const { bytes, summary } = await backUp(watchdesk.database)
  await expect(restore(watchdesk.database.pool, Readable.from([bytes]))).rejects.toThrow('The database is not empty')
  expect((await backUp(watchdesk.database)).summary).toEqual(summary)
})

test('a backup in small chunks is read like one in a single chunk', async () => {
  const { bytes, summary } = await backUp(watchdesk.database)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
    bytes.subarray(index * 7, index * 7 + 7),
  )
  const copy = await emptyDatabase()
  expect(await restore(copy.pool, Readable.from(pieces))).toEqual(summary)
})

async function emptyDatabase() {
  const database = await cloneDatabase('template1')
  onTestFinished(() => database.close())
  return database
}

async function backUp({ pool }: Database) {
  const chunks: Buffer[] = []
  const summary: Summary = {}
  for await (const chunk of backup(pool, summary)) chunks.push(Buffer.from(chunk))
  return { bytes: Buffer.concat(chunks), summary }
}
