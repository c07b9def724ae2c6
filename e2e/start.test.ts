import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runToEnd, SERVER } from '../scripts/start-server.mjs'
import {
  copyProject,
  isAlive,
  ownNpmCache,
  passwordIn,
  postmaster,
  signIn,
  startWatchdesk,
  stopAll,
  until,
} from './processes.ts'

const home = mkdtempSync(join(tmpdir(), 'watchdesk-start-'))
const clone = join(home, 'watchdesk')
const data = join(clone, 'data')
const isRoot = process.getuid?.() === 0
// Removing an installation takes a while.
afterAll(async () => {
  await stopAll()
  // The database of root is not in the folder that only root may enter.
  if (existsSync(data)) rmSync(dirname(realpathSync(join(data, 'postgres'))), { recursive: true, force: true })
  rmSync(home, { recursive: true, force: true })
}, 300_000)

// `.ci/run` selects the tests to run as root by this name.
test(`a fresh clone started by ${isRoot ? 'root, from a folder that only root may enter' : 'an ordinary user'} installs, builds, serves requests, lets its first super admin sign in, and SIGTERM stops it with its database`, async () => {
  copyProject(clone)
  chmodSync(home, isRoot ? 0o700 : 0o755)
  const env = {
    HOME: home,
    PORT: '0',
    npm_config_cache: ownNpmCache(),
    npm_config_prefer_offline: 'true',
    npm_config_userconfig: join(home, '.npmrc'),
  }
  const watchdesk = await startWatchdesk(env, { command: ['npm', 'start'], cwd: clone })
  expect(watchdesk.output()).toMatch(/Installing packages(.|\n)*Building/)
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
})

test('the built server names a bad setting in one line and stops', async () => {
  const { code, output } = await runToEnd(SERVER, { DATA_DIR: home, PORT: 'eighty' })
  expect(code).toBe(1)
  expect(output).toMatch(/^[^\n]*PORT[^\n]*\n$/)
})
