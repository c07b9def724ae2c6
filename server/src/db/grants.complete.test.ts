import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isWrite, readOperations } from '../../test/helpers/operations.ts'
import { databaseUrl, runCommand } from '../../test/helpers/replica.ts'
import { addressOf, placeOf, validCall } from '../../test/helpers/requests.ts'
import { mailSettings } from '../../test/helpers/smtp.ts'
import { ORIGIN } from '../../test/helpers/soft-passkey.ts'
import { startWatchdesk, type Watchdesk } from '../../test/helpers/watchdesk.ts'
import { StartError } from '../env.ts'
import { grantRowRights, requireRowRights } from './grants.ts'
import { migrate } from './migrate.ts'
import { connect, type Database } from './open.ts'
import { RIGHTS } from './tables.ts'

const serial = randomBytes(4).toString('hex')
const OWNER = `watchdesk_test_owner_${serial}`
const SERVER = `watchdesk_test_server_${serial}`
const OTHER = `watchdesk_test_other_${serial}`
const DATABASE = `watchdesk_test_${serial}`
const postgres = inject('postgres')
// Signing out comes last: the others need the session.
/** Single sign-on is not set up here. */
const operations = (await readOperations())
  .filter(({ path }) => path !== '/api/v1/login/sso')
  .sort((a, b) => a.path.indexOf('logout') - b.path.indexOf('logout'))

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
  await admin.query(`create role ${OTHER} login password 'secret'`)
})

afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()))
  await admin.query(`drop database if exists ${DATABASE} with (force)`)
  for (const role of [OWNER, SERVER, OTHER]) await admin.query(`drop role if exists ${role}`)
  await admin.end()
})

/** `npm run migrate -- ROLE` with the DATABASE_URL of the user. */
function runMigrate(user: string, role: string) {
  const url = new URL(databaseUrl(as(user)))
  url.username = user
  url.password = 'secret'
  return runCommand('migrate', { DATABASE_URL: url.href }, [role])
}

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

  test('npm run migrate with an unknown role fails before it changes the schema', async () => {
    const ended = await runMigrate(OWNER, 'nobody_here')
    const { rows } = await as(OWNER).pool.query(`select from pg_tables where schemaname = 'public'`)
    expect(rows).toEqual([])
    expect(ended).toEqual({
      code: 1,
      output: 'The database server has no role "nobody_here": create it first (see docs/operations.md)\n',
    })
  })

  test('the owner creates it, and the server starts when it has been given its rights', async () => {
    const owner = as(OWNER)
    await migrate(owner.pool)
    const server = as(SERVER)
    expect(await refusal(migrate(server.pool).then(() => requireRowRights(server.pool)))).toMatch(
      /lacks (SELECT|.*on the table)/,
    )
    await grantRowRights(owner.pool, SERVER)
    await migrate(server.pool)
    await requireRowRights(server.pool)
  })

  test('the server answers every call of the API', async () => {
    const { watchdesk, stop } = await startWatchdesk(
      { ...mailSettings(), PUBLIC_URL: ORIGIN },
      { database: as(SERVER) },
    )
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
    await expect(pool.query(`set watchdesk.is_purging = 'true'; delete from audit_events`)).rejects.toMatchObject({
      code: '42501',
    })
    await expect(pool.query('select purge_audit_events(29)')).rejects.toThrow('at least 30 days')
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
      expect(await refusal(requireRowRights(pool))).toMatch(
        new RegExp(
          `^The role "${SERVER}" lacks ${right} on the table ${table}: run "npm run migrate -- ${SERVER}" with`,
        ),
      )
      await owner.pool.query(`grant ${right} on ${table} to ${SERVER}`)
    }
    await owner.pool.query(`revoke execute on function purge_audit_events from ${SERVER}`)
    expect(await refusal(requireRowRights(pool))).toContain('lacks EXECUTE on the function purge_audit_events(integer)')
    await owner.pool.query(`grant execute on function purge_audit_events to ${SERVER}`)
    await requireRowRights(pool)
  })

  test('each table that the migrations create has its rights; others, also of the same owner, are ignored', async () => {
    const owner = as(OWNER)
    const { pool } = as(SERVER)
    const { rows } = await owner.pool.query<{ name: string }>(
      `select tablename::text as name from pg_tables where schemaname = 'public' order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(RIGHTS).sort())
    await owner.pool.query('create table users_copy as select * from users')
    await requireRowRights(pool)
    await grantRowRights(owner.pool, SERVER)
    await expect(pool.query('select from users_copy')).rejects.toMatchObject({ code: '42501' })
    await owner.pool.query('drop table users_copy')
  })

  test('npm run migrate fails when the role that runs it cannot grant the rights', async () => {
    const owner = as(OWNER)
    const failure = {
      code: 1,
      output: expect.stringMatching(
        new RegExp(
          `^The role "${OTHER}" lacks [^\\n]*SELECT, INSERT on the table audit_events; [^\\n]*` +
            `SELECT, DELETE on the table list_changes; [^\\n]*, and the role "${SERVER}" cannot grant this: ` +
            `run "npm run migrate -- ${OTHER}" with the DATABASE_URL of the role that owns the schema [^\\n]*\\n$`,
        ),
      ),
    }
    // PostgreSQL only warns when the role has rights on the table, and fails when it has none.
    expect(await runMigrate(SERVER, OTHER)).toEqual(failure)
    await owner.pool.query(`revoke all on list_changes from ${SERVER}`)
    expect(await runMigrate(SERVER, OTHER)).toEqual(failure)

    await grantRowRights(owner.pool, SERVER)
    expect(await runMigrate(SERVER, SERVER)).toMatchObject({ code: 0 })
  })

  test.each([
    ['users', ['users']],
    ['every table', Object.keys(RIGHTS)],
  ])(
    'with a copy of %s in the schema named after the owner, npm run migrate grants rights on the original',
    async (_, copied) => {
      const owner = as(OWNER)
      await owner.pool.query(`revoke usage on schema public from public, ${OTHER}`)
      await owner.pool.query(`revoke all on all tables in schema public from ${OTHER}`)
      await owner.pool.query(`create schema ${OWNER}`)
      for (const table of copied) {
        await owner.pool.query(`create table ${OWNER}.${table} as select * from public.${table}`)
      }
      try {
        expect(await runMigrate(OWNER, OTHER)).toEqual({
          code: 0,
          output: `The database has the schema of this release, and the role "${OTHER}" has the rights that a server needs\n`,
        })
        const other = as(OTHER)
        await migrate(other.pool)
        await requireRowRights(other.pool)
        await expect(other.pool.query(`select from ${OWNER}.users`)).rejects.toMatchObject({ code: '42501' })
      } finally {
        await owner.pool.query(`drop schema ${OWNER} cascade`)
        await owner.pool.query('grant usage on schema public to public')
      }
    },
  )

  test('a pending migration asks for the owner, although the role may create tables', async () => {
    const owner = as(OWNER)
    await owner.pool.query(`grant create on schema public to ${SERVER}`)
    await owner.pool.query('delete from schema_migrations where version = (select max(version) from schema_migrations)')
    expect(await refusal(migrate(as(SERVER).pool))).toMatch(/lacks ownership of the tables \(schema_migrations, users /)
  })
})

async function migrationCount() {
  const { readMigrations } = await import('./migrate.ts')
  return (await readMigrations()).length
}

async function callOnce(watchdesk: Watchdesk, operation: (typeof operations)[number], workspace_id: number) {
  const address = await addressOf(watchdesk, operation, placeOf(operation), workspace_id)
  return watchdesk.admin(operation.method, address, ...validCall(operation, workspace_id))
}
