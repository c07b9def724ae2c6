import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeDataDir, startPostgres } from '../../test/helpers/data-dir.ts'
import { useOwnPostgres } from '../../test/helpers/own-postgres.ts'
import { runMain, startBuilt } from '../../test/helpers/replica.ts'

const isRoot = process.getuid?.() === 0
// As a killed set-up leaves it.
const postgres = useOwnPostgres({
  prepare: (folder) => mkdirSync(join(folder, 'postgres.new-99999999/base'), { recursive: true }),
})
const { dir, watchdesk } = postgres

function userOf(pid: number) {
  return execFileSync('ps', ['-o', 'user:32=', '-p', String(pid)], { encoding: 'utf8' }).trim()
}

/** A PATH on which `id` does not know the user watchdesk, and `useradd` fails. */
function pathWithoutSystemUser(folder: string) {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const id = `[ "$2" = watchdesk ] && exit 1\nPATH='${process.env.PATH}' exec id "$@"`
  for (const [command, script] of Object.entries({ id, useradd: 'exit 10' }))
    writeFileSync(join(bin, command), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return `${bin}:${process.env.PATH}`
}

test('a start removes the remains of a killed database setup', () => {
  expect(readdirSync(dir).filter((name) => name.includes('.new-'))).toEqual([])
})

test('the log of the database has no emails, names or statements, whatever is refused', async () => {
  const user = await watchdesk.createUser({ email: 'olena@private.example', first_name: 'Secretname' })
  const body = { ...user, id: undefined, email: 'OLENA@private.example', password: 'staple battery 7' }
  const { first_name, last_name, email, password, workspace_id } = body
  const again = { first_name, last_name, email, password, workspace_id }
  expect((await watchdesk.admin('POST', '/api/v1/users/', again)).status).toBe(409)
  const other = await watchdesk.createUser({})
  const patched = await watchdesk.admin('PATCH', `/api/v1/users/${other.id}`, { email: 'olena@PRIVATE.example' })
  expect(patched.status).toBe(409)
  const log = readFileSync(join(dir, 'postgres.log'), 'utf8')
  expect(log).toContain('users_by_email')
  expect(log).not.toMatch(/private\.example|Secretname|insert into|update "|STATEMENT|DETAIL|argon2/i)
})

describe.skipIf(!isRoot)('started by root', () => {
  test('the database runs as the system user watchdesk, whose files it has', () => {
    expect(userOf(postgres.pid())).toBe('watchdesk')
    expect(statSync(join(dir, 'postgres')).uid).toBe(Number(execFileSync('id', ['-u', 'watchdesk'])))
  })

  test('a database that an earlier release ran as nobody continues as watchdesk', async () => {
    await postgres.stop()
    execFileSync('chown', ['-R', 'nobody', join(dir, 'postgres')])
    await postgres.start()
    expect(userOf(postgres.pid())).toBe('watchdesk')
    const { status } = await watchdesk.admin('GET', '/api/v1/users/')
    expect(status).toBe(200)
  })

  test('a database keeps its user, and a start that would choose another one still says that the database is newer', async () => {
    const { dir: dataDir, remove } = makeDataDir()
    onTestFinished(remove)
    const cluster = join(dataDir, 'postgres')
    const newer = await startPostgres(dataDir)
    const client = new pg.Client(newer.connection)
    await client.connect()
    await client.query(`create table schema_migrations (version integer, name text, checksum text)`)
    await client.query(`insert into schema_migrations values (9999, '9999_later.sql', '')`)
    await client.end()
    await newer.stop()
    const { uid } = statSync(cluster)
    expect(await runMain({ DATA_DIR: dataDir, PATH: pathWithoutSystemUser(dataDir) })).toEqual({
      code: 1,
      output: 'The database is newer than this release: it has the migration 9999_later.sql\n',
    })
    expect(statSync(cluster).uid).toBe(uid)
  })

  test.each(['root', 'daemon'])('a data directory that was copied as %s starts', async (user) => {
    await postgres.stop()
    execFileSync('chown', ['-R', user, join(dir, 'postgres')])
    await postgres.start()
    expect(userOf(postgres.pid())).toBe(user === 'root' ? 'watchdesk' : user)
  })

  test('without a system user and a way to create one, the database runs as nobody, and the start warns about it', async () => {
    const { dir: dataDir, remove } = makeDataDir()
    onTestFinished(remove)
    const server = await startBuilt({ DATA_DIR: dataDir, PATH: pathWithoutSystemUser(dataDir) })
    onTestFinished(async () => void (await server.stop()))
    const { uid } = statSync(join(dataDir, 'postgres/postmaster.pid'))
    expect(uid).toBe(Number(execFileSync('id', ['-u', 'nobody'])))
    expect(server.output()).toContain('The embedded database runs as the user nobody: any other process of nobody can')
    expect(server.output()).toContain('Create the system user watchdesk (useradd --system watchdesk)')
    expect(await server.stop()).toBe(0)
  })
})
