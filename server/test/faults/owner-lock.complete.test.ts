import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeDataDir } from '../helpers/data-dir.ts'
import { runCommand, runMain, startBuilt } from '../helpers/replica.ts'

const { dir: data, remove } = makeDataDir()
afterAll(remove)

test('after a backend was killed, the first server still owns the database: a second server and a backup refuse to start', async () => {
  const server = await start()
  const before = postmaster()
  await killBackend(before.socketDir)
  // Immediately, while the database recovers, and afterwards.
  expect(await startSecond()).toEqual(refused)
  await untilReady(server.url)
  expect(await startSecond()).toEqual(refused)
  const { code, output } = await runCommand('backup', { DATA_DIR: data })
  expect([code, output]).toEqual([0, expect.stringContaining('Backed up')])

  expect(postmaster().pid).toBe(before.pid)
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
})

test('the same holds after the whole database was killed', async () => {
  const server = await start()
  process.kill(postmaster().pid, 'SIGKILL')
  expect(await startSecond()).toEqual(refused)
  await untilReady(server.url)
  expect(await startSecond()).toEqual(refused)
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
})

test('the owner is identified by more than its process id: after a kill, another process with the same id blocks nobody', async () => {
  const server = await start()
  await server.stop('SIGKILL')
  const [, began] = readFileSync(join(data, 'owner'), 'utf8').split(' ')
  writeFileSync(join(data, 'owner'), `${process.pid} ${began}`)
  const next = await start()
  expect(await next.stop()).toBe(0)
})

const refused = { code: 1, output: `Another Watchdesk already uses the data directory ${data}\n` }

async function start() {
  const server = await startBuilt({ DATA_DIR: data })
  onTestFinished(async () => void (await server.stop()))
  return server
}

function startSecond() {
  return runMain({ DATA_DIR: data })
}

/** When one backend crashes, PostgreSQL terminates all others too. */
async function killBackend(socketDir: string) {
  const client = new pg.Client({ host: socketDir, user: 'watchdesk', database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  const ended = new Promise((resolve) => client.once('end', resolve))
  const { rows } = await client.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
  await ended
}

function postmaster() {
  const lines = readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')
  return { pid: Number(lines[0]), socketDir: lines[4] ?? '' }
}

async function untilReady(url: string) {
  while ((await fetch(`${url}/health/ready`)).status !== 200) await wait(20)
}
