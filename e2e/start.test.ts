import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runToEnd, SERVER } from '../scripts/start-server.mjs'
import { isAlive, passwordIn, postmaster, signIn, startWatchdesk, stopAll, until } from './processes.ts'

const data = mkdtempSync(join(tmpdir(), 'watchdesk-start-'))
afterAll(async () => {
  await stopAll()
  rmSync(data, { recursive: true, force: true })
})

test('npm start on an empty data directory serves requests, lets its first super admin sign in, and SIGTERM stops it with its database', async () => {
  const watchdesk = await startWatchdesk({ DATA_DIR: data, PORT: '0' }, { command: ['npm', 'start'] })
  const password = passwordIn(watchdesk.output())
  expect(password).toHaveLength(17)
  expect((await fetch(`${watchdesk.url}/health/ready`)).status).toBe(200)
  expect((await fetch(watchdesk.url)).headers.get('content-type')).toContain('text/html')
  expect(await signIn(watchdesk.url, password)).toBe(200)
  const { pid, listensOn } = postmaster(data)
  expect(listensOn).toBe('')
  expect(await watchdesk.stop()).toBe(0)
  // A process that has exited keeps its id until its parent has reaped it.
  await until(() => !isAlive(watchdesk.pid) && !isAlive(pid))
  // Root's database may be elsewhere.
  rmSync(dirname(realpathSync(join(data, 'postgres'))), { recursive: true, force: true })
})

test('the built server names a bad setting in one line and stops', async () => {
  const { code, output } = await runToEnd(SERVER, { DATA_DIR: data, PORT: 'eighty' })
  expect(code).toBe(1)
  expect(output).toMatch(/^[^\n]*PORT[^\n]*\n$/)
})
