// Runs tests in the copy, and says which of them failed.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { npm } from '../npm.mjs'
import { COPY, run } from './copy.mjs'

const RESULTS = join(COPY, 'test-results')
const NAMED_MINUTES = 60
const SUITE_MINUTES = 120
const NAMED = { TEST_ALL: '1', PLAYWRIGHT_JSON_OUTPUT_FILE: join(RESULTS, 'browser.json') }

/** A test is named as `path: part of its title`. */
function isSame(named, test) {
  const [file, title = ''] = named.split(/: (.*)/s)
  return test.startsWith(`${file}: `) && test.includes(title)
}

export function isComplete(named) {
  return /\.complete\.(?:test|spec)\.tsx?(?::|$)/.test(named)
}

export function fileOf(named) {
  return named.split(': ')[0]
}

/** Brings the build up to date, which journeys use. Unit tests only need that there is one. */
export async function build() {
  const { hasPassed } = await run(node('scripts/setup.mjs'), { minutes: NAMED_MINUTES })
  return hasPassed
}

/** Runs these tests. */
export async function runNamed(named) {
  const [journeys, others] = [true, false].map((isJourney) =>
    named.filter((test) => fileOf(test).endsWith('.spec.ts') === isJourney),
  )
  const tests = []
  if (others.length > 0) tests.push(...(await runReporting(vitest(others), NAMED_MINUTES, NAMED)).tests)
  if (journeys.length > 0) {
    if (!(await build())) return [{ name: 'The build', isFailed: true }]
    tests.push(...(await runReporting(playwright(journeys), NAMED_MINUTES, NAMED)).tests)
  }
  return tests.filter(({ name }) => named.some((each) => isSame(each, name)) || !name.includes(': '))
}

/** Runs a part of the suite, such as `npm test`. Types, lint and dead code have no tests. */
export async function runSuite(...args) {
  const { tests, hasPassed, output } = await runReporting(npm(...args), SUITE_MINUTES)
  if (hasPassed || tests.some(({ isFailed }) => isFailed)) return tests
  const parts = [...output.matchAll(/^== (.+?) failed/gm)].map(([, part]) => part)
  return [{ name: parts.join(', ') || 'The build', isFailed: true }]
}

function node(...args) {
  return [process.execPath, args]
}

function vitest(named) {
  const reporter = ['--reporter=json', `--outputFile=${join(RESULTS, 'unit.json')}`]
  return node('node_modules/vitest/vitest.mjs', 'run', ...filesOf(named), '-t', titlesOf(named), ...reporter)
}

function playwright(named) {
  const options = ['--config', 'e2e/playwright.config.ts', '--workers', '1', '--retries', '0', '--reporter', 'json']
  return node('node_modules/@playwright/test/cli.js', 'test', ...options, ...filesOf(named), '-g', titlesOf(named))
}

function filesOf(named) {
  return [...new Set(named.map(fileOf))]
}

/** Titles as a regular expression. */
function titlesOf(named) {
  return named.map((test) => test.slice(fileOf(test).length + 2).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
}

async function runReporting(command, minutes, env) {
  rmSync(RESULTS, { recursive: true, force: true })
  const { hasPassed, output } = await run(command, { minutes, env })
  const reports = filesIn(RESULTS).filter((name) => name.endsWith('.json'))
  const tests = reports.flatMap((name) => testsIn(JSON.parse(readFileSync(join(RESULTS, name), 'utf8'))))
  return { hasPassed, tests, output }
}

function filesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The tests that ran, of a report by Vitest or Playwright. */
function testsIn({ testResults = [], suites = [] }) {
  return [...testResults.flatMap(vitestFile), ...suites.flatMap((suite) => playwrightSuite(suite, ''))]
}

function vitestFile({ name, status, assertionResults }) {
  const file = relative(COPY, name)
  // A file that cannot be loaded has no tests.
  if (assertionResults.length === 0) return status === 'failed' ? [{ name: file, isFailed: true }] : []
  return assertionResults
    .filter((test) => ['passed', 'failed'].includes(test.status))
    .map((test) => ({ name: `${file}: ${test.fullName}`, isFailed: test.status === 'failed' }))
}

function playwrightSuite({ file, title, suites = [], specs = [] }, above) {
  const path = title === file ? '' : `${above}${title} `
  return [
    ...specs.map((spec) => ({ name: `e2e/${file}: ${path}${spec.title}`, isFailed: !spec.ok })),
    ...suites.flatMap((suite) => playwrightSuite(suite, path)),
  ]
}
