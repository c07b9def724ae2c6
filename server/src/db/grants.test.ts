import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { StartError } from '../env.ts'
import { isWrite, readOperations } from '../testing/operations.ts'
import { addressOf, validCall } from '../testing/requests.ts'
import { startWatchdesk, type Watchdesk } from '../testing/watchdesk.ts'
import { grantRowRights, needRowRights, RIGHTS } from './grants.ts'
import { migrate } from './migrate.ts'
import { connect, type Database } from './open.ts'

const serial = randomBytes(4).toString('hex')
const OWNER = `watchdesk_test_owner_${serial}`
const SERVER = `watchdesk_test_server_${serial}`
const DATABASE = `watchdesk_test_${serial}`
const postgres = inject('postgres')
// Signing out comes last: the others need the session.
const operations = (await readOperations()).sort((a, b) => a.path.indexOf('logout') - b.path.indexOf('logout'))

const opened: Database[] = []
let admin: pg.Client

function as(user: string, database = DATABASE) {
  const options = { DATABASE_POOL_SIZE: 5, STATEMENT_TIMEOUT_MS: 10_000 }
  const pool = connect({ ...postgres, user, password: 'secret', database }, options)
  opened.push(pool)
  return pool
}

beforeAll(async () => {
  admin = new pg.Client(postgres)
  await admin.connect()
  const docs = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const documented = /```sql\n(create role [\s\S]*?)```/.exec(docs)?.[1] ?? ''
  const statements = documented
    .replaceAll('watchdesk_owner', OWNER)
    .replaceAll('watchdesk_server', SERVER)
    .replaceAll(/database watchdesk\b/g, `database ${DATABASE}`)
  for (const statement of statements.split(';').filter((text) => text.trim())) await admin.query(statement)
})

afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()))
  await admin.query(`drop database if exists ${DATABASE} with (force)`)
  for (const role of [OWNER, SERVER]) await admin.query(`drop role if exists ${role}`)
  await admin.end()
})

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(StartError)
  expect(error.message).not.toContain('\n')
  return error.message
}

describe('with the roles of docs/operations.md', () => {
  test('the role of the server cannot create the schema: one line says which rights it lacks', async () => {
    expect(await refusal(migrate(as(SERVER).pool))).toBe(
      `The database needs ${(await migrationCount()) as number} migrations, and the role "${SERVER}" lacks ` +
        `CREATE on the database ${DATABASE} (for the extension pg_trgm), CREATE on the schema public: ` +
        'run "npm run migrate" with the DATABASE_URL of the role that owns the schema (see docs/operations.md)',
    )
  })

  test('the owner creates it, and the server starts when it has been given its rights', async () => {
    const owner = as(OWNER)
    await migrate(owner.pool)
    const server = as(SERVER)
    expect(await refusal(migrate(server.pool).then(() => needRowRights(server.pool)))).toMatch(
      /lacks (SELECT|.*on the table)/,
    )
    await grantRowRights(owner.pool, SERVER)
    await migrate(server.pool)
    await needRowRights(server.pool)
  })

  test('the server answers every call of the API', async () => {
    const { watchdesk, stop } = await startWatchdesk({}, undefined, as(SERVER))
    try {
      const failed = []
      for (const operation of operations) {
        const workspace = await watchdesk.createWorkspace()
        const { status } = await callOnce(watchdesk, operation, workspace.id)
        if (status >= 500 || (isWrite(operation) && status === 404)) failed.push([operation.name, status])
      }
      expect(failed).toEqual([])
      expect(operations.length).toBeGreaterThan(30)
    } finally {
      await stop()
    }
  })

  test('the server changes no table', async () => {
    const { pool } = as(SERVER)
    for (const statement of [
      'create table other (id integer)',
      'drop table users',
      'alter table users add x integer',
    ]) {
      await expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' })
    }
    await expect(pool.query(`update audit_events set action = 'x'`)).rejects.toThrow()
    await expect(pool.query('delete from audit_events')).rejects.toThrow()
  })

  test('each right that is taken away is the one that the next start asks for', async () => {
    const owner = as(OWNER)
    const { pool } = as(SERVER)
    const { rows } = await owner.pool.query<{ table: string; right: string }>(
      `select table_name as "table", privilege_type as "right" from information_schema.role_table_grants
      where grantee = $1 order by 1, 2`,
      [SERVER],
    )
    expect(rows.length).toBeGreaterThan(60)
    for (const { table, right } of rows) {
      await owner.pool.query(`revoke ${right} on ${table} from ${SERVER}`)
      expect(await refusal(needRowRights(pool))).toMatch(
        new RegExp(
          `^The role "${SERVER}" lacks ${right} on the table ${table}: run "npm run migrate -- ${SERVER}" with`,
        ),
      )
      await owner.pool.query(`grant ${right} on ${table} to ${SERVER}`)
    }
    await needRowRights(pool)
  })

  test('each table that the migrations create has its rights; others, also of the same owner, are ignored', async () => {
    const owner = as(OWNER)
    const { pool } = as(SERVER)
    const { rows } = await owner.pool.query<{ name: string }>(
      `select tablename::text as name from pg_tables where schemaname = 'public' order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(RIGHTS).sort())
    await owner.pool.query('create table users_copy as select * from users')
    await needRowRights(pool)
    await grantRowRights(owner.pool, SERVER)
    await expect(pool.query('select from users_copy')).rejects.toMatchObject({ code: '42501' })
    await owner.pool.query('drop table users_copy')
  })

  test('a pending migration asks for the owner, although the role may create tables', async () => {
    const owner = as(OWNER)
    await owner.pool.query(`grant create on schema public to ${SERVER}`)
    await owner.pool.query('delete from schema_migrations where version = (select max(version) from schema_migrations)')
    expect(await refusal(migrate(as(SERVER).pool))).toMatch(/lacks ownership of the tables \(schema_migrations, users /)
  })
})

test('rights for a role that does not exist are refused in one line', async () => {
  expect(await refusal(grantRowRights(as(OWNER).pool, 'nobody_here'))).toBe(
    'The database server has no role "nobody_here"',
  )
})

async function migrationCount() {
  const { readMigrations } = await import('./migrate.ts')
  return (await readMigrations()).length
}

async function callOnce(watchdesk: Watchdesk, operation: (typeof operations)[number], workspace_id: number) {
  const address = await addressOf(watchdesk, operation, 'foreign', workspace_id)
  return watchdesk.admin(operation.method, address, ...validCall(operation, workspace_id))
}
