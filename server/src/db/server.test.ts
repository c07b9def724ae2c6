import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect as connectTo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { makeDataDir, startPostgres } from '../../test/helpers/data-dir.ts'
import { freePort, listen } from '../../test/helpers/loopback.ts'
import { startWatchdesk } from '../../test/helpers/watchdesk.ts'
import { readEnv, StartError } from '../env.ts'
import { findBinaries, runner } from './embedded-place.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open.ts'

async function open(DATABASE_URL: string) {
  const database = await openDatabase(readEnv({ DATABASE_URL }))
  onTestFinished(() => database.close().catch(() => {}))
  return database
}

async function refusal(DATABASE_URL: string): Promise<string> {
  const error = await open(DATABASE_URL).then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(StartError)
  expect(error.message).not.toContain('\n')
  return error.message
}

const isOpensslMissing = spawnSync('openssl', ['version']).status !== 0

describe.skipIf(isOpensslMissing)('a server with a certificate of its own CA', () => {
  const { dir, remove } = makeDataDir()
  const file = (name: string) => join(dir, 'tls', name)
  let server: ChildProcess
  let url: string

  beforeAll(async () => {
    const embedded = await startPostgres(dir)
    await embedded.stop()
    const user = await runner(dir)
    makeCertificates()
    if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, join(dir, 'tls')])
    const port = await freePort()
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      ssl: 'on',
      ssl_cert_file: file('server.crt'),
      ssl_key_file: file('server.key'),
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const binaries = process.env.POSTGRES_DIR ?? (await findBinaries(user)).dir
    const cluster = join(dir, 'postgres')
    server = spawn(join(binaries, 'bin/postgres'), ['-D', cluster, '-k', cluster, ...options], { ...user, cwd: '/' })
    url = `postgres://watchdesk@localhost:${port}/postgres`
    while (!(await isResponding(port))) await wait(20)
  })
  afterAll(async () => {
    const exit = once(server, 'exit')
    server.kill('SIGINT')
    await exit
    remove()
  })

  function makeCertificates() {
    mkdirSync(join(dir, 'tls'))
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
    const key = ['-newkey', 'rsa:2048', '-nodes']
    openssl('req', '-x509', ...key, '-keyout', file('ca.key'), '-out', file('ca.crt'), '-subj', '/CN=Our CA')
    openssl('req', ...key, '-keyout', file('server.key'), '-out', file('server.csr'), '-subj', '/CN=localhost')
    const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-out', file('server.crt')]
    openssl('x509', '-req', '-in', file('server.csr'), ...signed)
  }

  test.each(['require', 'verify-ca', 'verify-full'])('sslmode=%s asks for the CA in one line', async (mode) => {
    expect(await refusal(`${url}?sslmode=${mode}`)).toBe(
      'The database of DATABASE_URL cannot be reached: the CA of its certificate is unknown here ' +
        '(UNABLE_TO_VERIFY_LEAF_SIGNATURE). Add sslrootcert=/path/to/ca.crt to DATABASE_URL',
    )
  })

  test.each(['require', 'verify-ca', 'verify-full'])('sslmode=%s with sslrootcert is encrypted', async (mode) => {
    const { pool } = await open(`${url}?sslmode=${mode}&sslrootcert=${encodeURIComponent(file('ca.crt'))}`)
    const { rows } = await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    expect(rows).toEqual([{ ssl: true }])
  })

  test('another host name, a missing file and an unknown mode are one line each', async () => {
    const ca = encodeURIComponent(file('ca.crt'))
    const byAddress = url.replace('localhost', '127.0.0.1')
    expect(await refusal(`${byAddress}?sslmode=verify-full&sslrootcert=${ca}`)).toContain('is for another host name')
    expect(await refusal(`${url}?sslmode=verify-full&sslrootcert=/no/such.crt`)).toContain('/no/such.crt')
    expect(await refusal(`${url}?sslmode=strict`)).toMatch(/^Bad setting. DATABASE_URL: sslmode must be one of /)
  })
})

describe('behind a connection pooler', () => {
  const role = `watchdesk_test_pooled_${randomBytes(4).toString('hex')}`
  const database = `watchdesk_test_${randomBytes(6).toString('hex')}`
  const pooler = createServer()
  let admin: pg.Client
  let url: string

  beforeAll(async () => {
    admin = new pg.Client(inject('postgres'))
    await admin.connect()
    await admin.query(`create role ${role} login superuser password 'secret'`)
    await admin.query(`create database ${database} owner ${role}`)
    pooler.on('connection', (socket) => forward(socket))
    const { port } = new URL(await listen(pooler))
    url = `postgres://${role}:secret@127.0.0.1:${port}/${database}`
  })
  afterAll(async () => {
    pooler.close()
    await admin.query(`drop database if exists ${database} with (force)`)
    await admin.query(`drop role ${role}`)
    await admin.end()
  })

  /** Like PgBouncer, gives its clients a process number of its own. */
  function forward(socket: ReturnType<typeof connectTo>) {
    const { host = '', port = 5432 } = inject('postgres')
    const server = host.startsWith('/') ? connectTo(join(host, `.s.PGSQL.${port}`)) : connectTo(port, host)
    let isIntroduced = false
    server.on('data', (chunk: Buffer) => {
      const key = isIntroduced ? -1 : chunk.indexOf(Buffer.from('K\0\0\0\x0c', 'latin1'))
      if (key >= 0) {
        isIntroduced = true
        chunk.writeInt32BE(123_456_789, key + 5)
      }
      socket.write(chunk)
    })
    socket.on('data', (chunk: Buffer) => server.write(chunk))
    for (const [one, other] of [
      [socket, server],
      [server, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  }

  test('without time limits of the role the start says how to set them', async () => {
    expect(await refusal(url)).toMatch(
      new RegExp(`connection pooler.*ALTER ROLE "${role}" SET statement_timeout = '10s'; ALTER ROLE`),
    )
  })

  test('with them the server runs, and no statement has a name that another connection would not know', async () => {
    await admin.query(`alter role ${role} set statement_timeout = '10s'`)
    await admin.query(`alter role ${role} set idle_in_transaction_session_timeout = '10s'`)
    const opened = await open(url)
    await migrate(opened.pool)
    const { watchdesk, stop } = await startWatchdesk({}, { database: opened })
    try {
      expect((await watchdesk.admin('GET', '/api/v1/users/')).status).toBe(200)
      await watchdesk.createUser({})
      const clients = await Promise.all(Array.from({ length: 10 }, () => opened.pool.connect()))
      for (const client of clients) {
        expect((await client.query('select name from pg_prepared_statements')).rows).toEqual([])
        client.release()
      }
    } finally {
      await stop()
    }
  })
})

async function isResponding(port: number) {
  const socket = connectTo(port, '127.0.0.1')
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
