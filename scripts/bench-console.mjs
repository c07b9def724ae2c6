// Loads our users list and the same list built with react-admin alternately, and compares their main-thread time.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from './chromium.mjs'
import { readCommandLine } from './command-line.mjs'
import { RegistryUnreachable } from './npm.mjs'
import { buildReactAdmin, serve } from './react-admin/react-admin.mjs'
import { root, setup, tool } from './setup.mjs'
import { startWithNewDatabase } from './start-server.mjs'
import { newContext, signIn } from './watchdesk.mjs'

readCommandLine('bench:console')
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 10)
const MOST = 0.8
const EX_TEMPFAIL = 75
const PARTS = { all: 'TaskDuration', script: 'ScriptDuration', style: 'RecalcStyleDuration', layout: 'LayoutDuration' }

setup()
const { median, rounded, saveResults } = await buildResults()
const folder = mkdtempSync(join(tmpdir(), 'react-admin-'))
const cleanUp = [() => rmSync(folder, { recursive: true, force: true })]
try {
  console.log('Fetching and building react-admin …')
  const built = await buildReactAdmin(folder)
  const watchdesk = await startWithNewDatabase({}, { isDemo: true })
  cleanUp.push(watchdesk.stop)
  const reactAdmin = await serve(built, watchdesk.url)
  cleanUp.push(reactAdmin.close)
  const browser = await launchChromium()
  cleanUp.push(() => browser.close())

  const token = await signIn(watchdesk.url)
  const common = { browser, token, lastEmail: await lastEmailOf(watchdesk.url, token) }
  const sides = {
    ours: { ...common, origin: watchdesk.url, path: '/users' },
    'react-admin': { ...common, origin: reactAdmin.url, path: '/#/users' },
  }
  const { bytes } = await runRound(sides)
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) rounds.push((await runRound(sides, round % 2 === 1)).cpu)
  await report(rounds, bytes)
} catch (error) {
  console.error(error instanceof RegistryUnreachable ? `Not measured. ${error.message}` : error)
  process.exitCode = error instanceof RegistryUnreachable ? EX_TEMPFAIL : 1
} finally {
  for (const step of cleanUp.reverse()) await step()
}

async function buildResults() {
  const [command, args] = tool('typescript/bin/tsc', '-b', 'bench')
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  return import('../bench/dist/results.js')
}

/** The user in the last row. */
async function lastEmailOf(url, token) {
  const response = await fetch(`${url}/api/v1/users/`, { headers: { authorization: `Bearer ${token}` } })
  return (await response.json()).objects.at(-1).email
}

/** Alternates which page is first, so that neither always runs after the other. */
async function runRound(sides, isReversed = false) {
  const names = isReversed ? Object.keys(sides).reverse() : Object.keys(sides)
  const cpu = {}
  const bytes = {}
  for (const name of names) [cpu[name], bytes[name]] = await open(sides[name])
  return { cpu, bytes }
}

/**
 * Loads the page in a new context until its rows are painted; returns its main-thread time in milliseconds and its
 * bytes.
 */
async function open({ browser, origin, path, token, lastEmail }) {
  const context = await newContext(browser, origin, token)
  const page = await context.newPage()
  await page.addInitScript(notifyWhenPainted, lastEmail)
  const cdp = await context.newCDPSession(page)
  // Thread time excludes other processes.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const sizes = []
  page.on('requestfinished', (request) => sizes.push(sizeOf(request)))
  await Promise.all([
    page.waitForEvent('console', (message) => message.text() === 'painted'),
    page.goto(origin + path, { waitUntil: 'commit' }),
  ])
  const { metrics } = await cdp.send('Performance.getMetrics')
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  await context.close()
  return [cpuOf(metrics), bytes]
}

/** Runs in the page. */
function notifyWhenPainted(lastEmail) {
  new MutationObserver((_, observer) => {
    if (!document.querySelector('tbody tr:last-child')?.textContent.includes(lastEmail)) return
    observer.disconnect()
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => console.debug('painted')
    // A message posted during a frame arrives after it was painted.
    requestAnimationFrame(() => port2.postMessage(undefined))
  }).observe(document, { childList: true, subtree: true })
}

async function sizeOf(request) {
  return ['script', 'stylesheet'].includes(request.resourceType()) ? (await request.sizes()).responseBodySize : 0
}

function cpuOf(metrics) {
  const seconds = Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
  return Object.fromEntries(Object.entries(PARTS).map(([part, name]) => [part, seconds[name] * 1000]))
}

async function report(rounds, bytes) {
  const names = Object.keys(bytes)
  const each = (figureOf) => Object.fromEntries(names.map((name) => [name, Math.round(figureOf(name))]))
  const ratios = rounds.map((cpu) => rounded(cpu.ours.all / cpu['react-admin'].all))
  console.table(rounds.map((cpu, round) => ({ ...each((name) => cpu[name].all), ratio: ratios[round] })))
  const parts = Object.keys(PARTS).map((part) => [
    `${part}, ms`,
    each((name) => median(rounds.map((cpu) => cpu[name][part]))),
  ])
  const medians = { ...Object.fromEntries(parts), 'script and style, KB': each((name) => bytes[name] / 1024) }
  console.table(medians)
  const ratio = { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
  console.log(
    `Ours takes ${ratio.median} of react-admin's (median; ${ratio.lowest} to ${ratio.highest}; at most ${MOST})`,
  )
  await saveResults({ 'users list, main thread until it is painted': { ...medians, ratio } })
  process.exitCode = ratio.median <= MOST ? 0 : 1
}
