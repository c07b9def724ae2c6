import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { UNNAMED } from './named-client.ts'

const watchdesk = useWatchdesk()
let client: PoolClient
beforeAll(async () => {
  client = await watchdesk.database.pool.connect()
})
afterAll(() => client.release())

async function prepared() {
  const { rows } = await client.query<{ statement: string }>('select statement from pg_prepared_statements')
  return rows.map(({ statement }) => statement)
}

// First, because it starts new names: those of other tests may have used up their number.
test('after a migration that changes a prepared statement, reads and writes succeed', async () => {
  const { createUser, admin, database } = watchdesk
  const { id } = await createUser({})
  const edit = async (first_name: string) => (await admin('PATCH', `/api/v1/users/${id}`, { first_name })).status
  const get = async () => (await admin('GET', `/api/v1/users/${id}`)).status
  // Prepared on every connection.
  await Promise.all(Array.from({ length: 30 }, (_, n) => edit(`Name ${n}`)))
  await Promise.all(Array.from({ length: 30 }, get))
  await sql`alter table users add column added text`.execute(database.db)
  expect(await Promise.all(Array.from({ length: 10 }, (_, n) => edit(`Later ${n}`)))).toEqual(Array(10).fill(200))
  expect(await Promise.all(Array.from({ length: 10 }, get))).toEqual(Array(10).fill(200))
})

test('nor does one that changes the type of a column fail a call or a sign-in', async () => {
  const { admin, database } = watchdesk
  const statuses = async () => [
    (await admin('GET', '/api/v1/users/1')).status,
    (await admin('GET', '/api/v1/workspaces/')).status,
    (await admin('GET', '/api/v1/users/?search=admin')).status,
    (await admin('POST', '/api/v1/login', { email: ADMIN.email, password: ADMIN.password })).status,
  ]
  // Prepared on most connections.
  for (let time = 0; time < 5; time += 1) await Promise.all([statuses(), statuses()])
  for (const change of ['users alter workspace_id type bigint', 'users alter password_hash type varchar(500)']) {
    await sql`alter table ${sql.raw(change)}`.execute(database.db)
    expect(await statuses()).toEqual([200, 200, 200, 200])
  }
})

test('a statement with values is prepared once, however it is called', async () => {
  const text = 'select $1::int as once'
  await client.query(text, [1])
  const { rows } = await client.query({ text, values: [2] })
  await new Promise((resolve) => client.query(text, [3], resolve))
  expect([rows, (await prepared()).filter((statement) => statement === text)]).toEqual([[{ once: 2 }], [text]])
})

test('a repeated statement returns the same columns, even if it failed or found nothing at first', async () => {
  const text = `select 20 / $1::int as share, now() as at, null as nothing where $2`
  await expect(client.query(text, [0, true])).rejects.toThrow('division by zero')
  expect((await client.query(text, [1, false])).rows).toEqual([])
  const { rows, fields } = await client.query(text, [5, true])
  expect(rows).toEqual([{ share: 4, at: expect.any(Date), nothing: null }])
  expect(fields.map(({ name }) => name)).toEqual(['share', 'at', 'nothing'])
  expect((await client.query(text, [2, true])).rows).toEqual([{ share: 10, at: expect.any(Date), nothing: null }])
})

test('a search is planned each time', async () => {
  const text = `${UNNAMED} select $1::int as found`
  await client.query(text, [1])
  expect((await client.query(text, [2])).rows).toEqual([{ found: 2 }])
  expect(await prepared()).not.toContain(text)
})

test('a statement without values is not prepared, because it may be several', async () => {
  await client.query('select 1; select 2')
  expect((await prepared()).filter((statement) => statement.startsWith('select 1'))).toEqual([])
})
