import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDir } from '../../test/helpers/data-dir.ts'
import { databaseUrl, runCommand, startBuilt } from '../../test/helpers/replica.ts'
import { useWatchdesk } from '../../test/helpers/watchdesk.ts'

const ADMIN = 'admin@watchdesk.local'
const REFUSAL = 'The database already has data: sample data can only be added to an empty database\n'
const watchdesk = useWatchdesk()

function freshDir() {
  const { dir, remove } = makeDataDir()
  onTestFinished(remove)
  return dir
}

async function start(settings: Record<string, string>, args: string[] = []) {
  const server = await startBuilt(settings, args)
  onTestFinished(async () => void (await server.stop()))
  return server
}

async function signIn(url: string, email: string, password: string | undefined) {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token } = (await response.json()) as { access_token?: string }
  return { status: response.status, headers: { authorization: `Bearer ${access_token}` } }
}

async function userCount(url: string, headers: Record<string, string>) {
  const response = await fetch(`${url}/api/v1/users/?page=1&page_size=1`, { headers })
  return ((await response.json()) as { total: number }).total
}

function printed(output: string, what: RegExp) {
  return what.exec(output)?.[1]
}

test('the sample data can be added while the server runs, and only once', async () => {
  const DATA_DIR = freshDir()
  const server = await start({ DATA_DIR, BOOTSTRAP_ADMIN_PASSWORD: 'correct horse 9' })
  const { headers } = await signIn(server.url, ADMIN, 'correct horse 9')
  expect(await userCount(server.url, headers)).toBe(1)
  const added = await runCommand('demo', { DATA_DIR })
  expect([added.code, added.output]).toEqual([0, expect.stringContaining('Filled the database: 60 workspaces')])
  expect(await userCount(server.url, headers)).toBe(2001)

  const again = await runCommand('demo', { DATA_DIR })
  expect(again).toEqual({ code: 1, output: REFUSAL })
  expect(await server.stop()).toBe(0)
})

test('of two concurrent commands that add the sample data, one fails with a one-line error', async () => {
  const settings = { DATABASE_URL: databaseUrl(watchdesk.database) }
  const ended = await Promise.all([runCommand('demo', settings), runCommand('demo', settings)])
  const [added, refused] = ended.sort((one, other) => Number(one.code) - Number(other.code))
  expect([added?.code, added?.output]).toEqual([0, expect.stringContaining('Filled the database: 60 workspaces')])
  expect(refused).toEqual({ code: 1, output: REFUSAL })
  const { rows } = await watchdesk.database.pool.query(
    'select count(*)::int as count, array_agg(id order by id) = array_agg(id order by created_at) as is_in_order from operations',
  )
  expect(rows, 'the imports of the sample data, in the order of their dates').toEqual([
    { count: expect.any(Number), is_in_order: true },
  ])
})

test('npm start -- --demo opens a console with sample data, and starts normally the next time', async () => {
  const DATA_DIR = freshDir()
  const server = await start({ DATA_DIR }, ['--demo'])
  const password = printed(server.output(), /Sign in as admin@watchdesk.local with the password (\S+)/)
  const { headers } = await signIn(server.url, ADMIN, password)
  expect(await userCount(server.url, headers)).toBe(2001)
  expect(await server.stop()).toBe(0)

  const next = await start({ DATA_DIR }, ['--demo'])
  expect(next.output()).toContain('The database already has data: no sample data was added')
  expect(await userCount(next.url, headers)).toBe(2001)
  expect(await next.stop()).toBe(0)
})

test('a password can be reset while the server runs and while it is stopped', async () => {
  const DATA_DIR = freshDir()
  const before = await runCommand('reset-password', { DATA_DIR }, ['first@example.com'], { create: true })
  const first = printed(before.output, /^Created the super admin first@example.com. The new password is (\S+)/)
  expect(existsSync(join(DATA_DIR, 'postgres/postmaster.pid'))).toBe(false)

  const server = await start({ DATA_DIR, BOOTSTRAP_ADMIN_PASSWORD: 'correct horse 9' })
  expect(server.output()).toContain('BOOTSTRAP_ADMIN_PASSWORD is not used')
  expect((await signIn(server.url, ADMIN, 'correct horse 9')).status).toBe(401)
  const { status, headers } = await signIn(server.url, 'first@example.com', first)
  expect(status).toBe(200)

  const reset = await runCommand('reset-password', { DATA_DIR }, ['FIRST@example.com'])
  const second = printed(reset.output, /^Reset the password of first@example.com. The new password is (\S+)/)
  expect(reset.output).toContain('Sessions ended: 1')
  expect((await fetch(`${server.url}/api/v1/users/me`, { headers })).status).toBe(401)
  expect((await signIn(server.url, 'first@example.com', second)).status).toBe(200)

  const unknown = await runCommand('reset-password', { DATA_DIR }, ['other@example.com'])
  expect(unknown).toEqual({ code: 1, output: expect.stringMatching(/^No user has the email [^\n]*--create [^\n]*\n$/) })
  expect(await server.stop()).toBe(0)
})

test('a link to sign in is printed while the server runs and while it is stopped, and works once', async () => {
  const DATA_DIR = freshDir()
  const settings = { DATA_DIR, BOOTSTRAP_ADMIN_PASSWORD: 'correct horse 9' }
  const server = await start(settings)
  const use = async (url: string, output: string, prefix: RegExp) => {
    const token = printed(output, new RegExp(`^${prefix.source}/sign_in#([\\w-]{43})$`, 'm'))
    const response = await fetch(`${url}/api/v1/login/link/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    return response.status
  }
  const PUBLIC_URL = 'https://desk.example.com/'
  const running = await runCommand('sign-in-link', { DATA_DIR, PUBLIC_URL }, [ADMIN.toUpperCase()])
  expect(running.output).toContain(`Open this link to sign in as ${ADMIN}. It works once, for 10 minutes:\n`)
  expect(await use(server.url, running.output, /https:\/\/desk\.example\.com/)).toBe(200)
  expect(await use(server.url, running.output, /https:\/\/desk\.example\.com/)).toBe(404)
  const unknown = await runCommand('sign-in-link', { DATA_DIR }, ['other@example.com'])
  expect(unknown).toEqual({ code: 1, output: 'No user has the email other@example.com.\n' })
  expect(await server.stop()).toBe(0)

  const stopped = await runCommand('sign-in-link', { DATA_DIR, HOST: '0.0.0.0', PORT: '8080' }, [ADMIN])
  const next = await start(settings)
  expect(await use(next.url, stopped.output, /http:\/\/127\.0\.0\.1:8080/)).toBe(200)
  expect(await next.stop()).toBe(0)
})

test('a first password that still works is not reported as unused', async () => {
  const settings = { DATA_DIR: freshDir(), BOOTSTRAP_ADMIN_PASSWORD: 'correct horse 9' }
  await (await start(settings)).stop()
  const server = await start(settings)
  expect(server.output()).not.toContain('is not used')
  expect(await server.stop()).toBe(0)
})
