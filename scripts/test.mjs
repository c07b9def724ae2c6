import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { findChromium, findOtherChromium } from './chromium.mjs'
import { readCommandLine } from './command-line.mjs'
import { findOldPostgres } from './postgres.mjs'
import { root, setup, tool } from './setup.mjs'
import { budgetOf, compareWithBudget, minutes } from './test-budget.mjs'
import { affectedTests } from './test-changed.mjs'
import { readPlaywrightReport, readVitestReport } from './test-report.mjs'
import { runPart } from './test-run.mjs'

// `npm test`; with `--all` first, `npm run test:all`.
const isAll = process.argv[2] === '--all'
const { operands, options } = readCommandLine(isAll ? 'test:all' : 'test', process.argv.slice(isAll ? 3 : 2))
const only = options.changed ? undefined : operands[0]
/** In CI, nothing is skipped, and processor time is limited. */
const isStrict = Boolean(process.env.STRICT_TESTS)
const budgets = [!options.rest && 'test', isAll && 'rest'].filter(Boolean)

const REPEATED_LINES = 100
const LONGEST = 30
const ERROR_LINES = 8
const IN_OTHER_BROWSER = ['activity.spec', 'session-login.spec', 'users-form.spec']
const AS_ROOT = ['e2e/start', 'server/src/db/embedded', '-t', 'started by root']

const results = join(root, 'test-results')
const parts = []
const tests = []
/** What failed, apart from tests. */
const failures = []
process.once('exit', summarize)

if (options.rest && options.changed) {
  console.error('--rest and --changed exclude each other.')
  process.exit(2)
}
const affected = options.changed ? affectedTests({ base: operands[0], isAll }) : {}
setup()
rmSync(results, { recursive: true, force: true })
mkdirSync(results)
// First, because it fails without a browser.
const chromium = ['components', 'journeys', 'other browser'].some(isWanted) && findChromium({ install: true })

if (!options.rest) {
  await Promise.all([
    check('types', tool('typescript/bin/tsc', '-b')),
    check('lint', tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings')),
    check('dead code', tool('knip/bin/knip.js')),
    check('folders', [process.execPath, [join(root, 'scripts/check-folders.mjs')]]),
  ])
}
const journeys = options.rest ? [String.raw`\.complete\.spec\.`] : affected.journeys
if (options.changed) await vitest('unit and API', [], affected.unit)
else if (!options.rest) await vitest('unit and API', [], undefined, { TEST_ALL: '' })
if (isAll && !options.changed) {
  const oldPostgres = findOldPostgres()
  if (!oldPostgres && isStrict) failures.push('PostgreSQL 15, 16 or 17 (a package of Debian or Ubuntu) is missing')
  // An older PostgreSQL has to understand the queries of every module too.
  const files = ['.complete.test.', ...(oldPostgres ? ['routes.test.'] : [])]
  await vitest('complete unit and API', [], files, oldPostgres && { POSTGRES_DIR: oldPostgres })
}
if (chromium) {
  await playwright('components', chromium, journeys)
  await playwright('journeys', chromium, journeys)
  const other = findOtherChromium(chromium)
  if (other && !options.rest && !options.changed) await playwright('other browser', other, IN_OTHER_BROWSER)
  if (!other) skip('other browser', 'both chromium and chromium-headless-shell')
}
if (only === 'starting as root') await vitest('starting as root', AS_ROOT, undefined, { TEST_ALL: '1' })
if (isStrict) failures.push(...compareWithBudget(parts).excessive)
process.exit(failures.length > 0 || tests.some(({ hasFailed }) => hasFailed) ? 1 : 0)

function isWanted(name) {
  return !only || only === name
}

function skip(name, missing) {
  if (!isWanted(name)) return
  console.log(`\n== ${name}: skipped, because it needs ${missing}`)
  if (isStrict) failures.push(`${name} was skipped`)
}

async function check(name, command) {
  if (!isWanted(name)) return
  const hasPassed = await run(name, command, { isAlone: Boolean(only) })
  tests.push({ name, seconds: 0, hasFailed: !hasPassed })
}

/** Without files, all that the arguments select; with an empty list of files, nothing. */
function vitest(name, args, files, env = {}) {
  const report = fileOf(name, 'json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const command = tool('vitest/vitest.mjs', 'run', '--passWithNoTests', ...reporters, ...args, ...(files ?? []))
  return runTests(name, command, { env, files, read: () => readVitestReport(report) })
}

/** A part runs the project of its name; another browser runs journeys. */
function playwright(name, chromium, files) {
  const report = fileOf(name, 'json')
  // Each removes what is in its folder.
  const args = ['--config', 'e2e/playwright.config.ts', '--output', fileOf(name, 'files'), '--reporter=list,json']
  const project = name === 'components' ? name : 'journeys'
  const command = tool(
    '@playwright/test/cli.js',
    'test',
    '--pass-with-no-tests',
    `--project=${project}`,
    ...args,
    ...(files ?? []),
  )
  const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  return runTests(name, command, { env, files, read: () => readPlaywrightReport(report) })
}

async function runTests(name, command, { env, files, read }) {
  if (!isWanted(name) || files?.length === 0) return
  const hasPassed = await run(name, command, { env: { ...(isAll && { TEST_ALL: '1' }), ...env }, isAlone: true })
  try {
    const found = read()
    tests.push(...found)
    if (!hasPassed && /Unhandled (?:Error|Rejection)/.test(readFileSync(fileOf(name, 'log'), 'utf8')))
      failures.push(`${name} had an unhandled error: see its output`)
    // A runner that exits with an error has failed, even without a failed test.
    if (!hasPassed && !found.some((test) => test.hasFailed)) failures.push(`${name} failed without a failed test`)
  } catch {
    failures.push(`${name} ended without a report`)
  }
}

async function run(name, command, how) {
  const part = await runPart(name, command, { ...how, log: fileOf(name, 'log') })
  parts.push({ ...part, budget: options.changed ? 0 : budgetOf(name, budgets) })
  return part.hasPassed
}

function summarize(code) {
  const failedTests = tests.filter(({ hasFailed }) => hasFailed)
  const failed = [...failedTests.map(({ name, error }) => [name, ...beginOf(error)].join('\n    ')), ...failures]
  // Also if something fails before or between the parts.
  if (code !== 0 && failed.length === 0) failed.push('npm test stopped')
  if (tests.length + failed.length === 0) return
  for (const { name } of parts.filter(({ hasPassed }) => !hasPassed)) {
    const output = readFileSync(fileOf(name, 'log'), 'utf8').trimEnd().split('\n')
    print(`${name} failed. The end of its output:`, output.slice(-REPEATED_LINES))
  }
  const longest = tests.toSorted((a, b) => b.seconds - a.seconds).filter(({ seconds }) => seconds >= 1)
  print(
    `The longest ${LONGEST} tests`,
    longest.slice(0, LONGEST).map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${name}`),
  )
  const { table, grown } = compareWithBudget(parts)
  const times = [...table, ...grown]
  print(`Time: ${minutes(performance.now() / 1000)} in all, set-up included`, times)
  const restarted = tests.filter(({ browserFault }) => browserFault)
  print(
    'Faults of the browser itself',
    restarted.map(({ name, browserFault }) => `${name}: ${browserFault}`),
  )
  print('Failed', failed)
  const counts = `${tests.filter(({ hasFailed }) => !hasFailed).length} passed, ${failed.length} failed`
  // For .ci/run, which adds them up.
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, 'summary.txt'), [counts, ...failed, ''].join('\n'))
  writeFileSync(join(results, 'times.txt'), [...times, ''].join('\n'))
  console.log(`\n${counts}`)
}

function beginOf(error = '') {
  const lines = stripVTControlCharacters(error).split('\n')
  return lines.filter((line) => line.trim() !== '').slice(0, ERROR_LINES)
}

function print(heading, lines) {
  if (lines.length > 0) console.log(`\n== ${heading}\n${lines.join('\n')}`)
}

function fileOf(name, extension) {
  return join(results, `${name.replaceAll(' ', '-')}.${extension}`)
}
