import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { NO_LOAD_SHEDDING, SERVER } from '../../../scripts/start-server.mjs'
import { freePort } from '../helpers/loopback.ts'
import { databaseUrl } from '../helpers/replica.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
let child: ChildProcess | undefined
afterEach(() => child?.kill('SIGKILL'))

/** A server whose standard output nobody reads, or goes where the shell says. */
async function start(output = '') {
  const port = String(await freePort())
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl(watchdesk.database),
    PORT: port,
    LOG_LEVEL: 'info',
    ...NO_LOAD_SHEDDING,
  }
  const server = spawn('sh', ['-c', `exec "$@" ${output}`, 'sh', ...SERVER], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child = server
  let errors = ''
  server.stderr.on('data', (text) => {
    errors += text
  })
  const get = async () => (await fetch(`http://127.0.0.1:${port}/health/live`)).status
  await vi.waitFor(async () => expect(await get()).toBe(200), { timeout: 60_000 })
  return { server, get, errors: () => errors }
}

async function stop(server: ChildProcess) {
  const exit = once(server, 'exit')
  server.kill('SIGTERM')
  return Promise.race([exit, wait(60_000, 'still running')])
}

test('a full disk under the log does not end the server', async () => {
  const { server, get, errors } = await start('> /dev/full')
  await vi.waitFor(() => expect(errors()).toContain('The log cannot be written: ENOSPC'), { timeout: 10_000 })
  for (let time = 0; time < 100; time += 1) expect(await get()).toBe(200)
  expect(await stop(server)).toEqual([0, null])
})

test('a server whose log nobody reads responds, and exits on SIGTERM', async () => {
  const { server, get } = await start()
  const statuses = await Promise.all(Array.from({ length: 20 }, () => many(get, 200)))
  expect(new Set(statuses.flat())).toEqual(new Set([200]))
  expect(await stop(server)).toEqual([0, null])
})

async function many(get: () => Promise<number>, times: number) {
  const statuses = []
  for (let time = 0; time < times; time += 1) statuses.push(await get())
  return statuses
}
