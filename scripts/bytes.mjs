// Measures the script and style bytes of every screen as a browser loads them, compressed with brotli, against the
// limits.
import { setTimeout as wait } from 'node:timers/promises'
import { launchChromium } from './chromium.mjs'
import { readCommandLine } from './command-line.mjs'
import { makeAddresses, readScreens } from './screens.mjs'
import { setup } from './setup.mjs'
import { ADMIN, startWithNewDatabase } from './start-server.mjs'
import { newContext, post, signIn } from './watchdesk.mjs'

const KB = 1024
const HOME = '/users'
const LOGIN_KB = 150
const USERS_KB = 230
const MORE_KB = 40
const IDLE_MS = 1_500

readCommandLine('bytes')
setup()
const server = await startWithNewDatabase()
try {
  const rows = await measureScreens(server.url, await signIn(server.url))
  console.table(Object.fromEntries(rows.map(({ screen, ...figures }) => [screen, figures])))
  process.exitCode = rows.every((row) => row.fits) ? 0 : 1
} finally {
  await server.stop()
}

async function measureScreens(url, token) {
  const browser = await launchChromium()
  try {
    const login = await bytesOf(browser, url, '/login')
    const users = await bytesOf(browser, url, HOME, token)
    const rows = [row('/login', login, LOGIN_KB * KB), row(HOME, users, USERS_KB * KB)]
    for (const address of await addresses(browser, url, token)) {
      if (address !== HOME) rows.push(row(address, await bytesOf(browser, url, address, token), users + MORE_KB * KB))
    }
    return rows
  } finally {
    await browser.close()
  }
}

async function addresses(browser, url, token) {
  const page = await browser.newPage()
  await page.goto(url)
  const screens = await readScreens(page)
  await page.close()
  const headers = { authorization: `Bearer ${token}` }
  return screens.map(await makeAddresses((path, body) => post(`${url}/api/v1/${path}`, body, headers), ADMIN.email))
}

async function bytesOf(browser, url, path, token) {
  const context = await newContext(browser, url, token)
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

/** Waits until the network is idle: what a screen loads after its first render, such as schemas, counts too. */
async function quiet(arrived) {
  let seen = -1
  while (arrived.length > seen) {
    seen = arrived.length
    await wait(IDLE_MS)
  }
}

async function sizeOf(request) {
  const encoding = (await (await request.response())?.headerValue('content-encoding')) ?? ''
  const { responseBodySize } = await request.sizes()
  // Over plain HTTP, Chromium only accepts brotli from local hosts.
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
