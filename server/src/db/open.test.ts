import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../test/helpers/watchdesk.ts'
import { readEnv, StartError } from '../env.ts'
import { type Database, openDatabase } from './open.ts'

let database: Database
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.close())

/** Ends every connection of this database except the asking one, as a restart of PostgreSQL does. */
async function cutAll() {
  await database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

test('a connection that breaks in the middle of a transaction fails that transaction and nothing else', async () => {
  const { db } = database
  let isOpen = () => {}
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve
  })
  const transaction = db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx)
    isOpen()
    await sql`select pg_sleep(20)`.execute(trx)
  })
  const failed = expect(transaction).rejects.toThrow(/terminat/)
  await opened
  await cutAll()
  await failed
  const { rows } = await sql<{ up: number }>`select 1 as up`.execute(db)
  expect(rows).toEqual([{ up: 1 }])
})

test('a data directory that is not a directory fails the start with a one-line error', async () => {
  const file = fileURLToPath(import.meta.url)
  const opening = openDatabase(readEnv({ DATA_DIR: file }))
  await expect(opening).rejects.toEqual(
    new StartError(`Bad setting. DATA_DIR: ${file} is not a writable folder (EEXIST)`),
  )
  await expect(opening).rejects.toBeInstanceOf(StartError)
})
