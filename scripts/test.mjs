import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { findChromium } from './chromium.mjs'
import { readCommandLine } from './command-line.mjs'
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

setup()
rmSync(results, { recursive: true, force: true })
mkdirSync(results)

await check('types', tool('typescript/bin/tsc', '-b'))
await check('lint', tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings'))
await check('dead code', tool('knip/bin/knip.js'))
await tests('unit and API', tool('vitest/vitest.mjs', 'run'), () => {
  const { numPassedTests, numFailedTests } = report('unit.json')
  return [numPassedTests, numFailedTests]
})
await tests('browser', tool('@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts'), () => {
  const { expected, unexpected, flaky } = report('browser.json').stats
  if (flaky > 0) console.log(`\n${flaky} passed only on the second attempt, which is a bug to fix: see above`)
  return [expected + flaky, unexpected]
})

for (const name of failures) {
  console.log(`\n== ${name} failed. The end of its output:`)
  console.log(readFileSync(logOf(name), 'utf8').trimEnd().split('\n').slice(-REPEATED_LINES).join('\n'))
}
process.exit(failed === 0 ? 0 : 1)

async function check(name, command) {
  if (only && only !== name) return
  const hasPassed = await run(name, command)
  if (hasPassed) passed += 1
  else failed += 1
}

async function tests(name, command, count) {
  if (only && only !== name) return
  const hasPassed = await run(name, command)
  try {
    const [good, bad] = count()
    passed += good
    // A runner that exits with an error has failed, even without a failed test.
    failed += hasPassed ? bad : Math.max(bad, 1)
  } catch {
    failed += 1
  }
}

async function run(name, [command, args]) {
  console.log(`\n== ${name}`)
  const env = { ...process.env, CHROMIUM_PATH: name === 'browser' ? findChromium({ install: true }) : '' }
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
