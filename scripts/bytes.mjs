// Weighs every screen as a browser loads it: script and style, compressed with brotli, against the limits.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { findChromium } from './chromium.mjs'
import { root, setup } from './setup.mjs'

const KB = 1024
const LOGIN_KB = 120
const USERS_KB = 190
const MORE_KB = 30
const QUIET_MS = 1_500
const SCREENS = [
  '/users/create',
  '/users/1/edit',
  '/workspaces',
  '/workspaces/create',
  '/workspaces/1',
  '/workspaces/1/edit',
  '/dashboards',
  '/dashboards/create',
  '/dashboards/1/edit',
  '/website_config',
  '/source_management',
  '/source_import',
  '/stories_import',
  '/narratives_vectorization',
  '/sheets/1',
]
const ADMIN = { email: 'admin@watchdesk.local', password: 'correct horse battery' }

setup()
const server = await startServer()
try {
  const token = await prepare(server.url)
  const rows = await weigh(server.url, token)
  console.table(Object.fromEntries(rows.map(({ screen, ...figures }) => [screen, figures])))
  process.exitCode = rows.every((row) => row.fits) ? 0 : 1
} finally {
  await server.stop()
}

async function startServer() {
  const data = mkdtempSync(join(tmpdir(), 'watchdesk-'))
  // PostgreSQL does not run as root: its own user must reach the folder too.
  chmodSync(data, 0o755)
  const child = spawn(process.execPath, ['server/dist/main.js'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
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
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /ready at (http:\S+)/.exec(line)?.[1]
    if (url) return { url, stop }
  }
  rmSync(data, { recursive: true, force: true })
  throw new Error('The server ended before it was ready')

  async function stop() {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
    rmSync(data, { recursive: true, force: true })
  }
}

/** Signs in, and makes what the screens show and a fresh database lacks. */
async function prepare(url) {
  const { access_token } = await post(`${url}/api/v1/login`, ADMIN)
  const dashboard = { name: 'Reach', embed_link: 'https://bi.example/1' }
  const signedIn = { authorization: `Bearer ${access_token}` }
  await post(`${url}/api/v1/powerbi_dashboards/`, dashboard, signedIn)
  const sources = { email: ADMIN.email, sheet_url: null, sheet_records: [{ source_url: 'https://t.me/reach' }] }
  await post(`${url}/api/v1/source_import/sources`, sources, signedIn)
  return access_token
}

async function post(url, body, headers = {}) {
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

async function weigh(url, token) {
  const { chromium } = createRequire(join(root, 'e2e/package.json'))('@playwright/test')
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath: findChromium({ install: true }), args })
  try {
    const login = await bytesOf(browser, url, '/login')
    const users = await bytesOf(browser, url, '/users', token)
    const rows = [row('/login', login, LOGIN_KB * KB), row('/users', users, USERS_KB * KB)]
    for (const screen of SCREENS) {
      rows.push(row(screen, await bytesOf(browser, url, screen, token), users + MORE_KB * KB))
    }
    return rows
  } finally {
    await browser.close()
  }
}

/** In a context of its own, so that nothing comes from a cache. */
async function bytesOf(browser, url, path, token) {
  const localStorage = token ? [{ name: 'access_token', value: token }] : []
  const context = await browser.newContext({ storageState: { cookies: [], origins: [{ origin: url, localStorage }] } })
  const page = await context.newPage()
  const sizes = []
  page.on('requestfinished', (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType())) sizes.push(sizeOf(request))
  })
  await page.goto(url + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy=true], [role=status][aria-label]') === null)
  await quiet(sizes)
  if (new URL(page.url()).pathname !== path) throw new Error(`${path} led to ${page.url()}`)
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  await context.close()
  return total
}

/** Until nothing more comes: what a screen fetches once it stands, its schemas say, counts too. */
async function quiet(arrived) {
  let seen = -1
  while (arrived.length > seen) {
    seen = arrived.length
    await wait(QUIET_MS)
  }
}

async function sizeOf(request) {
  const encoding = (await (await request.response())?.headerValue('content-encoding')) ?? ''
  const { responseBodySize } = await request.sizes()
  // Chromium asks plain http for gzip alone unless the host is local, where it takes brotli too.
  if (encoding !== 'br' && responseBodySize > KB)
    throw new Error(`${request.url()} came as ${encoding || 'plain text'}`)
  return responseBodySize
}

function row(screen, bytes, limit) {
  return { screen, KB: toKb(bytes), 'limit KB': toKb(limit), 'left KB': toKb(limit - bytes), fits: bytes <= limit }
}

function toKb(bytes) {
  return Math.round((bytes / KB) * 10) / 10
}
