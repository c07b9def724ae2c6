import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runToEnd, SERVER } from '../scripts/start-server.mjs'
import { expectFirstStart } from './first-start.ts'
import {
  copyBuiltProject,
  copyProject,
  isAlive,
  nobody,
  ownNpmCache,
  passwordIn,
  postmaster,
  runCommand,
  signIn,
  startWatchdesk,
  stopAll,
  until,
} from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'watchdesk-start-'))
chmodSync(folder, 0o755)
// Removing an installation takes a while.
afterAll(async () => {
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
}, 300_000)

const isRoot = process.getuid?.() === 0
const self: { uid?: number; gid?: number } = {}

type Start = { mode: number; user: typeof self }
const starts: [who: string, Start][] = [['an ordinary user', { mode: 0o755, user: isRoot ? nobody() : self }]]
if (isRoot) starts.push(['root, from a folder that only root may enter', { mode: 0o700, user: self }])

// An ordinary user has just done all this to run these tests. `.ci/run` selects the tests to run as root by the names of
// those who start it.
test.runIf(isRoot)(
  'a fresh clone started by root, from a folder that only root may enter, installs, builds, serves requests, lets its first super admin sign in, and SIGTERM stops it with its database',
  async () => {
    const home = mkdtempSync(join(folder, 'fresh-'))
    const clone = join(home, 'watchdesk')
    const data = join(clone, 'data')
    copyProject(clone)
    chmodSync(home, 0o700)
    const env = {
      HOME: home,
      PORT: '0',
      npm_config_cache: ownNpmCache(),
      npm_config_prefer_offline: 'true',
      npm_config_userconfig: join(home, '.npmrc'),
    }
    const watchdesk = await startWatchdesk(env, { command: ['npm', 'start'], cwd: clone })
    expect(watchdesk.output()).toMatch(/Installing packages(.|\n)*Building/)
    await expectFirstStart(watchdesk, data)
  },
)

describe.each(starts)('a clone started by %s', (_, { mode, user }) => {
  const home = mkdtempSync(join(folder, 'home-'))
  const clone = join(home, 'watchdesk')
  const data = join(clone, 'data')
  const env = {
    HOME: home,
    PORT: '0',
    // Reuses this user's npm cache.
    npm_config_cache: user === self ? ownNpmCache() : join(home, '.npm'),
    npm_config_prefer_offline: 'true',
    npm_config_userconfig: join(home, '.npmrc'),
  }
  let password = ''
  afterAll(() => {
    const outside = existsSync(data) ? dirname(realpathSync(join(data, 'postgres'))) : data
    rmSync(outside, { recursive: true, force: true })
  })

  test('serves requests and lets its first super admin sign in, and is killed', async () => {
    if (user === self) copyBuiltProject(clone)
    // An ordinary user may not be allowed to read the packages of root: these are installed.
    else copyProject(clone)
    chmodSync(home, mode)
    if (user.uid !== undefined) await runCommand('chown', ['-R', `${user.uid}:${user.gid}`, home])
    const watchdesk = await startWatchdesk(env, { command: ['npm', 'start'], cwd: clone, ...user })
    password = passwordIn(watchdesk.output())
    expect(await signIn(watchdesk.url, password)).toBe(200)
    process.kill(watchdesk.pid, 'SIGKILL')
    await until(() => !isAlive(watchdesk.pid))
  })

  test('after kill -9 adopts the database that was left running', async () => {
    const left = postmaster(data).pid
    expect(isAlive(left)).toBe(true)
    const watchdesk = await startWatchdesk(env, { command: ['npm', 'start'], cwd: clone, ...user })
    expect(postmaster(data).pid).toBe(left)
    expect(watchdesk.output()).not.toMatch(/password|Installing|Building/)
    expect(await signIn(watchdesk.url, password)).toBe(200)
    process.kill(left, 'SIGKILL')
    process.kill(watchdesk.pid, 'SIGKILL')
    await until(() => !isAlive(watchdesk.pid) && !isAlive(left))
  })

  test('after kill -9 of server and database starts again, and SIGTERM stops both', async () => {
    const watchdesk = await startWatchdesk(env, { command: ['npm', 'start'], cwd: clone, ...user })
    expect(await signIn(watchdesk.url, password)).toBe(200)
    const { pid } = postmaster(data)
    expect(await watchdesk.stop()).toBe(0)
    // A process that has exited keeps its id until its parent has reaped it.
    await until(() => !isAlive(watchdesk.pid) && !isAlive(pid))
  })

  test.skipIf(isRoot && user === self)(
    'of two set-ups at once, one builds and the other waits, whatever a killed one left behind',
    async () => {
      rmSync(join(clone, '.setup/built'))
      writeFileSync(join(clone, '.setup/lock'), String(await exitedProcessId()))
      const runs = await Promise.all([setUp(), setUp()])
      expect(runs.map(({ code }) => code)).toEqual([0, 0])
      expect(
        runs
          .map(({ output }) => output)
          .join('')
          .match(/Building/g),
      ).toHaveLength(1)
    },
  )

  // Root can write everywhere.
  test.skipIf(isRoot && user === self)('uses a build that it cannot write to as it is', async () => {
    rmSync(join(clone, '.setup/built'))
    chmodSync(join(clone, 'server/dist'), 0o555)
    expect(await setUp()).toEqual({
      code: 0,
      output: 'The project cannot be written to: its build is used as it is.\n',
    })
    chmodSync(join(clone, 'server/dist'), 0o755)
  })

  function setUp() {
    return runCommand(process.execPath, ['scripts/setup.mjs'], env, { cwd: clone, ...user })
  }
})

describe('the built server', () => {
  test('restarts the embedded database when it dies, without restarting itself', async () => {
    const data = freshDir('revive')
    const watchdesk = await startWatchdesk({
      DATA_DIR: data,
      BOOTSTRAP_ADMIN_PASSWORD: 'correct horse 9',
      LOGIN_RATE_LIMIT: '10000',
    })
    process.kill(postmaster(data).pid, 'SIGKILL')
    await until(async () => (await signIn(watchdesk.url, 'correct horse 9')) === 200)
    expect(await watchdesk.stop()).toBe(0)
  })

  test('accepts a data directory whose path is long and contains blanks', async () => {
    const data = join(freshDir('long'), 'x'.repeat(120), 'a "quoted" name, with blanks')
    mkdirSync(data, { recursive: true })
    const watchdesk = await startWatchdesk({ DATA_DIR: data })
    expect((await fetch(`${watchdesk.url}/health/ready`)).status).toBe(200)
    expect(await watchdesk.stop('SIGINT')).toBe(0)
  })

  test('refuses a data directory that another server uses, and does not disturb that server', async () => {
    const data = freshDir('shared')
    const watchdesk = await startWatchdesk({ DATA_DIR: data })
    const second = await runToEnd(SERVER, { DATA_DIR: data, PORT: '0' })
    expect(second).toEqual({ code: 1, output: `Another Watchdesk already uses the data directory ${data}\n` })
    expect((await fetch(`${watchdesk.url}/health/ready`)).status).toBe(200)
    await watchdesk.stop()
  })

  test('reports in one line that the port is in use and writes nothing: the next start prints the password', async () => {
    const data = freshDir('port')
    const other = createServer().listen(0, '127.0.0.1')
    await until(() => other.listening)
    const port = String((other.address() as { port: number }).port)
    const { code, output } = await runToEnd(SERVER, { DATA_DIR: data, PORT: port })
    other.close()
    expect(code).toBe(1)
    expect(output).toMatch(new RegExp(`^Cannot listen on 127.0.0.1 port ${port}: .*\\n$`))
    expect(readdirSync(data)).toEqual([])
    const watchdesk = await startWatchdesk({ DATA_DIR: data })
    expect(await signIn(watchdesk.url, passwordIn(watchdesk.output()))).toBe(200)
    await watchdesk.stop()
  })

  test('names a bad setting before it binds the port', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await until(() => other.listening)
    const PORT = String((other.address() as { port: number }).port)
    const { output } = await runToEnd(SERVER, { DATA_DIR: freshDir('order'), PORT, CATALOG_FILE: '/no/such/file.json' })
    other.close()
    expect(output).toMatch(/^[^\n]*CATALOG_FILE[^\n]*\n$/)
  })

  test.each([
    ['DATA_DIR', '/proc/x'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['BOOTSTRAP_ADMIN_EMAIL', 'nobody'],
    ['CATALOG_FILE', '/no/such/file.json'],
    ['TRUST_PROXY', 'not an address'],
    ['LOG_LEVEL', 'loud'],
  ])('names the bad setting %s in one line and stops', async (name, value) => {
    const env = { DATA_DIR: freshDir('setting'), PORT: '0', [name]: value }
    const { code, output } = await runToEnd(SERVER, env)
    expect(code).toBe(1)
    expect(output).toMatch(new RegExp(`^[^\\n]*${name}[^\\n]*\\n$`))
  })

  test('reports in one line that the database server cannot be reached', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', PORT: '0' }
    const { code, output } = await runToEnd(SERVER, env)
    expect(code).toBe(1)
    expect(output).toMatch(/^The database of DATABASE_URL cannot be reached: [^\n]*\n$/)
  })

  test('finishes the requests it has accepted before it stops', async () => {
    const settings = { BOOTSTRAP_ADMIN_PASSWORD: 'correct horse 9', MAX_EVENT_LOOP_DELAY_MS: '0' }
    const watchdesk = await startWatchdesk({ DATA_DIR: freshDir('drain'), ...settings })
    const taken = await Promise.all(Array.from({ length: 20 }, () => beginSignIn(watchdesk.url, 'correct horse 9')))
    const responses = taken.map((finish) => finish())
    const stopped = watchdesk.stop()
    expect(new Set(await Promise.all(responses))).toEqual(new Set([200]))
    expect(await stopped).toBe(0)
  })
})

async function exitedProcessId() {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid
}

function freshDir(name: string) {
  const dir = mkdtempSync(join(folder, `${name}-`))
  chmodSync(dir, 0o755)
  return dir
}

/** The server has read the headers, and asks for the body. */
async function beginSignIn(url: string, password: string) {
  const headers = { 'content-type': 'application/json', expect: '100-continue' }
  const sent = request(`${url}/api/v1/login`, { method: 'POST', headers })
  sent.flushHeaders()
  await once(sent, 'continue')
  return async () => {
    sent.end(JSON.stringify({ email: 'admin@watchdesk.local', password }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
}
