import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Embedded } from '../../src/db/embedded.ts'
import { makeDataDir, startPostgres } from '../helpers/data-dir.ts'
import { useOwnPostgres } from '../helpers/own-postgres.ts'
import { runMain, startBuilt } from '../helpers/replica.ts'

const postgres = useOwnPostgres()
const { dir, takeWrites } = postgres

test('starting on a read-only database fails with a one-line error', async () => {
  await takeWrites(false)
  try {
    expect(await runMain({ DATABASE_URL: urlOf(postgres.connection()) })).toEqual({
      code: 1,
      output:
        'The database of DATABASE_URL is read-only: set default_transaction_read_only to off for its role and database\n',
    })
  } finally {
    await takeWrites(true)
  }
})

test('starting on a standby fails with a one-line error, and succeeds once it is promoted', async () => {
  const { dir: copy, remove } = makeDataDir()
  await postgres.stop()
  cpSync(join(dir, 'postgres'), join(copy, 'postgres'), { recursive: true, preserveTimestamps: true })
  await postgres.start()
  writeFileSync(join(copy, 'postgres/standby.signal'), '')
  chmodSync(join(copy, 'postgres'), 0o700)
  const { uid, gid } = statSync(join(dir, 'postgres'))
  execFileSync('chown', ['-R', `${uid}:${gid}`, join(copy, 'postgres')])
  const standby = await startPostgres(copy)
  try {
    expect(await runMain({ DATABASE_URL: urlOf(standby.connection) })).toEqual({
      code: 1,
      output: 'DATABASE_URL points to a standby, which is read-only: set it to the address of the primary\n',
    })
    const client = new pg.Client(standby.connection)
    await client.connect()
    await client.query('select pg_promote()')
    await client.end()
    const server = await startBuilt({ DATABASE_URL: urlOf(standby.connection) })
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
    expect(await server.stop()).toBe(0)
  } finally {
    await standby.stop()
    remove()
  }
})

function urlOf({ user, database, host }: Embedded['connection']) {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`
}
