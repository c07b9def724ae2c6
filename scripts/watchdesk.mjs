import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './setup.mjs'

export const ADMIN = { email: 'admin@watchdesk.local', password: 'correct horse battery' }

/** The built server on a database of its own: an empty one, or one with the demo's data. */
export async function startServer({ isDemo = false } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'watchdesk-'))
  // PostgreSQL does not run as root: its own user must reach the folder too.
  chmodSync(data, 0o755)
  try {
    if (isDemo) await fill(data)
    const { url, child } = await listening(data)
    return { url, stop: () => stop(child, data) }
  } catch (error) {
    rmSync(data, { recursive: true, force: true })
    throw error
  }
}

async function fill(data) {
  const child = run(['scripts/run.mjs', 'demo'], data, ['ignore', 'ignore', 'inherit'])
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The database could not be filled')
}

async function listening(data) {
  const child = run(['server/dist/main.js'], data, ['ignore', 'pipe', 'inherit'])
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /ready at (http:\S+)/.exec(line)?.[1]
    if (url) return { url, child }
  }
  throw new Error('The server ended before it was ready')
}

function run(args, data, stdio) {
  return spawn(process.execPath, args, {
    cwd: root,
    stdio,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: data,
      DATABASE_URL: '',
      LOG_LEVEL: 'warn',
      BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
      BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    },
  })
}

async function stop(child, data) {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
  rmSync(data, { recursive: true, force: true })
}

export async function signIn(url) {
  return (await post(`${url}/api/v1/login`, ADMIN)).access_token
}

export async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (response.status === 503) {
    // A server that has just started on a busy machine asks for patience.
    await wait(1_000)
    return post(url, body, headers)
  }
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return response.json()
}

/** A context in which nothing comes from a cache, with the token where the console looks for it. */
export function newContext(browser, origin, token) {
  const localStorage = token ? [{ name: 'access_token', value: token }] : []
  return browser.newContext({ storageState: { cookies: [], origins: [{ origin, localStorage }] } })
}
