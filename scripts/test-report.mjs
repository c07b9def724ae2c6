import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './setup.mjs'

/** The tests of a report of Vitest. A file without tests, or that failed without a failed test, counts as one. */
export function readVitestReport(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const path = relative(root, name)
    const tests = assertionResults
      .filter((test) => ['passed', 'failed'].includes(test.status))
      .map((test) => ({
        name: `${path}: ${test.fullName}`,
        seconds: (test.duration ?? 0) / 1000,
        hasFailed: test.status === 'failed',
        error: test.failureMessages[0],
      }))
    const isBroken = status === 'failed' && !tests.some(({ hasFailed }) => hasFailed)
    if (!isBroken && assertionResults.length > 0) return tests
    return [...tests, { name: path, seconds: 0, hasFailed: true, error: message || 'No tests in this file' }]
  })
}

/** The tests of a report of Playwright. `browserFault` says how the browser itself failed. */
export function readPlaywrightReport(file) {
  const { suites, errors } = JSON.parse(readFileSync(file, 'utf8'))
  const broken = errors.map(({ message }) => ({ name: `e2e: ${message}`, seconds: 0, hasFailed: true }))
  return [...suites.flatMap((suite) => testsOf(suite, [])), ...broken]
}

function testsOf({ suites = [], specs, title, file }, parents) {
  const titles = title === file ? [] : [...parents, title]
  const tests = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status !== 'skipped')
      .map(({ status, results, annotations }) => ({
        name: `${join('e2e', file)}:${spec.line}: ${[...titles, spec.title].join(' › ')}`,
        seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
        hasFailed: status !== 'expected',
        error: results[0]?.error?.message,
        browserFault: annotations.find(({ type }) => type === 'browser')?.description,
      })),
  )
  return [...tests, ...suites.flatMap((suite) => testsOf(suite, titles))]
}
