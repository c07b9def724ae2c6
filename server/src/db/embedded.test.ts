import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWatchdesk, type Watchdesk } from '../testing/watchdesk.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { connect } from './open.ts'

const dir = mkdtempSync(join(tmpdir(), 'watchdesk-embedded-'))
chmodSync(dir, 0o755)
const isRoot = process.getuid?.() === 0
const settings = { fsync: 'off' }

let embedded: Embedded
let watchdesk: Watchdesk
let stop: () => Promise<void>

beforeAll(async () => {
  mkdirSync(join(dir, 'postgres.new-99999999/base'), { recursive: true })
  embedded = await startEmbedded(dir, { settings })
  const database = connect(embedded.connection, { DATABASE_POOL_SIZE: 4, STATEMENT_TIMEOUT_MS: 5000 })
  await migrate(database.pool)
  const started = await startWatchdesk({}, undefined, database)
  watchdesk = started.watchdesk
  stop = started.stop
})
afterAll(async () => {
  await stop()
  await embedded.stop()
  rmSync(dir, { recursive: true })
})

function userOf(pid: number | undefined) {
  return execFileSync('ps', ['-o', 'user:32=', '-p', String(pid)], { encoding: 'utf8' }).trim()
}

function postmaster() {
  return Number(readFileSync(join(dir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

test('a start removes what a killed set-up of the database left', () => {
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
    expect(userOf(postmaster())).toBe('watchdesk')
    expect(statSync(join(dir, 'postgres')).uid).toBe(Number(execFileSync('id', ['-u', 'watchdesk'])))
  })

  test('a database that an earlier release ran as nobody goes on, as watchdesk', async () => {
    await embedded.stop()
    execFileSync('chown', ['-R', 'nobody', join(dir, 'postgres')])
    embedded = await startEmbedded(dir, { settings })
    expect(userOf(postmaster())).toBe('watchdesk')
    const { status } = await watchdesk.admin('GET', '/api/v1/users/')
    expect(status).toBe(200)
  })
})
