import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { findChromium, findOtherChromium } from './chromium.mjs'
import { readCommandLine } from './command-line.mjs'
import { ALL_API_TESTS, findOldPostgres } from './postgres.mjs'
import { root, setup, tool } from './setup.mjs'

const [only] = readCommandLine('test').operands

/** Runs every check, even if an earlier one failed, then lists the failures and prints a summary. */
let passed = 0
let failed = 0
// Also if something fails before or between the checks.
process.once('exit', (code) => {
  if (code !== 0 && failed === 0) failed = 1
  if (passed + failed > 0) console.log(`\n${passed} passed, ${failed} failed`)
})

const results = join(root, 'test-results')
const REPEATED_LINES = 100
const failures = []
const failedTests = []
/** Several parts write the same one. */
const REPORTS = ['unit.json', 'browser.json']

/** Some with SQL of every kind. CI runs all API tests there. */
const ON_OLD_POSTGRES = process.env.ALL_ON_OLD_POSTGRES
  ? ALL_API_TESTS
  : ['db/list', 'jobs/jobs', 'modules/audit/routes', 'modules/imports/', 'modules/overview/'].map(
      (path) => `server/src/${path}`,
    )
const IN_OTHER_BROWSER = ['activity.spec', 'session-login.spec', 'users-form.spec']

setup()
rmSync(results, { recursive: true, force: true })
mkdirSync(results)

await check('types', tool('typescript/bin/tsc', '-b'))
await check('lint', tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings'))
await check('dead code', tool('knip/bin/knip.js'))
await unitTests('unit and API')
const oldPostgres = findOldPostgres()
if (oldPostgres) await unitTests('old PostgreSQL', ON_OLD_POSTGRES, { POSTGRES_DIR: oldPostgres })
else skip('old PostgreSQL', 'PostgreSQL 15, 16 or 17 (a package of Debian or Ubuntu)')
if (isWanted('browser') || isWanted('other browser')) {
  const chromium = findChromium({ install: true })
  await browserTests('browser', chromium)
  const other = findOtherChromium(chromium)
  if (other) await browserTests('other browser', other, IN_OTHER_BROWSER)
  else skip('other browser', 'both chromium and chromium-headless-shell')
}

for (const name of failures) {
  console.log(`\n== ${name} failed. The end of its output:`)
  console.log(readFileSync(logOf(name), 'utf8').trimEnd().split('\n').slice(-REPEATED_LINES).join('\n'))
}
if (failedTests.length > 0) console.log(`\n== Failed tests\n${failedTests.join('\n')}`)
process.exit(failed === 0 ? 0 : 1)

function isWanted(name) {
  return !only || only === name
}

/** In CI, which installs what is missing, nothing may be skipped. */
function skip(name, missing) {
  if (!isWanted(name)) return
  console.log(`\n== ${name}: skipped, because it needs ${missing}`)
  if (process.env.ALL_ON_OLD_POSTGRES) failed += 1
}

function unitTests(name, files = [], env = {}) {
  return tests(name, tool('vitest/vitest.mjs', 'run', ...files), env, () => {
    const { numPassedTests, numFailedTests, testResults } = report('unit.json')
    for (const { name: file, assertionResults } of testResults.filter(({ status }) => status === 'failed')) {
      const names = assertionResults
        .filter((result) => result.status === 'failed')
        .map(({ fullName }) => `: ${fullName}`)
      failedTests.push(...(names.length > 0 ? names : ['']).map((test) => relative(root, file) + test))
    }
    return [numPassedTests, numFailedTests]
  })
}

function browserTests(name, chromium, files = []) {
  // Each removes what is in its folder.
  const options = ['--config', 'e2e/playwright.config.ts', '--output', join(results, name)]
  return tests(name, tool('@playwright/test/cli.js', 'test', ...options, ...files), { CHROMIUM_PATH: chromium }, () => {
    const { expected, unexpected, flaky } = report('browser.json').stats
    if (flaky > 0) console.log(`\n${flaky} passed only on the second attempt, which is a bug to fix: see above`)
    return [expected + flaky, unexpected]
  })
}

async function check(name, command) {
  if (!isWanted(name)) return
  const hasPassed = await run(name, command)
  if (hasPassed) passed += 1
  else failed += 1
}

async function tests(name, command, env, count) {
  if (!isWanted(name)) return
  for (const file of REPORTS) rmSync(join(results, file), { force: true })
  const hasPassed = await run(name, command, env)
  try {
    const [good, bad] = count()
    passed += good
    // A runner that exits with an error has failed, even without a failed test.
    failed += hasPassed ? bad : Math.max(bad, 1)
  } catch {
    failed += 1
  }
}

async function run(name, [command, args], given = {}) {
  console.log(`\n== ${name}`)
  const env = { ...process.env, CHROMIUM_PATH: '', ...given }
  if (process.stdout.isTTY) env.FORCE_COLOR = '1'
  const log = createWriteStream(logOf(name))
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env })
  for (const output of [child.stdout, child.stderr]) {
    output.pipe(process.stdout, { end: false })
    output.pipe(log, { end: false })
  }
  const closed = once(child, 'close')
  const [status] = await once(child, 'exit')
  // Its child processes may keep the pipe open.
  await Promise.race([closed, setTimeout(5000)])
  for (const output of [child.stdout, child.stderr]) output.unpipe()
  log.end()
  await finished(log)
  if (status !== 0) failures.push(name)
  return status === 0
}

function logOf(name) {
  return join(results, `${name.replaceAll(' ', '-')}.log`)
}

function report(file) {
  return JSON.parse(readFileSync(join(results, file), 'utf8'))
}
