import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMeter, measureProcessorTime, parseStat } from './processor-time.mjs'
import { compareWithBudget } from './test-budget.mjs'
import { selectTests } from './test-changed.mjs'
import { readVitestReport } from './test-report.mjs'

const SOURCES = new Map(
  Object.entries({
    'contract/src/users.ts': '',
    'contract/src/list.ts': '',
    'server/src/app.ts': "import './modules/users/routes.ts'; import './modules/audit/routes.ts'",
    'server/src/modules/users/routes.ts': "import '@watchdesk/contract/users'; import './store.ts'",
    'server/src/modules/users/store.ts': "run('./hash.worker.ts')",
    'server/src/modules/users/hash.worker.ts': '',
    'server/src/modules/users/routes.test.ts': "import '../../../test/helpers/watchdesk.ts'",
    'server/src/modules/activity/routes.ts': '',
    'server/src/modules/activity/routes.test.ts': "import '../../../test/helpers/watchdesk.ts'",
    'server/test/helpers/watchdesk.ts': "import '../../src/app.ts'",
    'console/src/ui/table.tsx': "import './table.module.css'",
    'console/src/ui/table.module.css': '',
    'console/src/ui/table.test.tsx': "import './table.tsx'",
    'console/src/ui/unused.tsx': '',
    'console/src/features/bin/list.tsx': "import '../../ui/table.tsx'",
    'e2e/users-page.ts': '',
    'e2e/users-form.spec.ts': "import './users-page.ts'",
    'e2e/components/users-list.spec.ts': '',
    'e2e/components/typed-choices.spec.ts': "import '@watchdesk/contract/users'",
    'server/src/plugins/log.ts': '',
    'server/src/plugins/log.test.ts': '',
    'e2e/users-form.test.ts': '',
    'e2e/bin.spec.ts': '',
    'e2e/combine.spec.ts': '',
  }),
)
const USERS = {
  unit: ['server/src/modules/users/routes.test.ts', 'server/test/'],
  journeys: ['e2e/users-form.spec.ts', 'e2e/components/users-list.spec.ts', 'e2e/components/typed-choices.spec.ts'],
}
const SCREENS = 'e2e/screens'

test.each([
  ['routes', 'server/src/modules/users/routes.ts', USERS],
  ['what they start in a worker', 'server/src/modules/users/hash.worker.ts', USERS],
  ['a contract', 'contract/src/users.ts', USERS],
  [
    'a style of the interface',
    'console/src/ui/table.module.css',
    { unit: ['console/src/ui/table.test.tsx'], journeys: ['e2e/bin.spec.ts'] },
  ],
])('a change of %s runs the tests in the folders of the features that use it, and their journeys', (_, file, tests) => {
  expect(selectTests([file], SOURCES)).toEqual({ ...tests, journeys: [...tests.journeys, SCREENS] })
})

test.each([
  ['a test', 'server/src/modules/activity/routes.test.ts', ['server/src/modules/activity/routes.test.ts'], []],
  ['a helper of journeys', 'e2e/users-page.ts', [], ['e2e/users-form.spec.ts']],
  ['the docs', 'docs/api.md', ['docs.test', 'env.test', 'security-table.test', 'grants'], []],
])('a change of %s runs only what reads it', (_, file, unit, journeys) => {
  expect(selectTests([file], SOURCES)).toEqual({ unit, journeys })
})

test('a change of code that features share runs the test beside it and all journeys', () => {
  expect(selectTests(['server/src/plugins/log.ts'], SOURCES)).toEqual({
    unit: ['server/src/plugins/log.test.ts', 'server/test/'],
    journeys: undefined,
  })
})

test.each(['server/src/modules/activity/routes.ts', 'console/src/ui/unused.tsx', 'server/src/app.ts'])(
  'a change of %s, to which no journey belongs, runs all journeys',
  (file) => {
    expect(selectTests(['server/src/modules/users/routes.ts', file], SOURCES).journeys).toBeUndefined()
  },
)

test('a change of what all journeys run with runs all journeys', () => {
  expect(selectTests(['e2e/playwright.config.ts'], SOURCES)).toEqual({ unit: [], journeys: undefined })
})

test.each(['server/src/db/migrations/0001_first.sql', 'package-lock.json', 'scripts/start.mjs', '.ci/run'])(
  'a change of %s, which tests read but do not import, runs everything',
  (file) => {
    expect(selectTests([file], SOURCES)).toEqual({})
  },
)

test('a file without tests, or that could not be loaded, counts as a failed test', () => {
  const folder = mkdtempSync(join(tmpdir(), 'watchdesk-report-'))
  const file = join(folder, 'report.json')
  const passed = { status: 'passed', fullName: 'passes', failureMessages: [] }
  const testResults = [
    { name: 'good', status: 'passed', message: '', assertionResults: [passed] },
    { name: 'empty', status: 'passed', message: '', assertionResults: [] },
    { name: 'broken', status: 'failed', message: 'Cannot find module', assertionResults: [] },
  ]
  writeFileSync(file, JSON.stringify({ testResults }))
  const tests = readVitestReport(file)
  rmSync(folder, { recursive: true })
  expect(tests.map(({ hasFailed, error }) => [hasFailed, error])).toEqual([
    [false, undefined],
    [true, 'No tests in this file'],
    [true, 'Cannot find module'],
  ])
})

test('a part over its budget is named, and one that takes more than twice as long is excessive', () => {
  const part = { wall: 61, hasPassed: true, budget: 100 }
  const names = { in: 110, over: 130, 'far over': 201 }
  const parts = Object.entries(names).map(([name, processor]) => ({ ...part, name, processor }))
  const { table, grown, excessive } = compareWithBudget([
    ...parts,
    { ...part, name: 'not measured', processor: undefined },
    { ...part, name: 'without a budget', processor: 900, budget: 0 },
  ])
  expect(table[1]).toMatch(/^in +1:01 +110 s +100 s$/)
  expect(grown).toEqual([
    'over took 130 s of processor time, 130 % of its budget',
    'far over took 201 s of processor time, 201 % of its budget',
  ])
  expect(excessive).toEqual(grown.slice(1))
})

test('the time of a process counts once, whether its parent waits for it, dies first or never does', () => {
  const meter = createMeter(10)
  const look = (...processes) =>
    meter.add(processes.map(([pid, parent, ticks]) => ({ id: `${pid}/1`, pid, parent, ticks })))
  look([10, 1, 5], [11, 10, 20], [12, 11, 30], [99, 1, 1000])
  expect(meter.ticks()).toBe(55)
  // 11 ended and 10 waited for it; 12, which it left behind, is still of the family.
  look([10, 1, 26], [12, 1, 40])
  expect(meter.ticks()).toBe(66)
  // Nobody waited for 12, so its time disappears.
  look([10, 1, 26])
  expect(meter.ticks()).toBe(66)
  look([10, 1, 30], [12, 99, 70])
  expect(meter.ticks()).toBe(70)
})

test('the name of a program does not confuse the fields after it', () => {
  const stat = `42 (a) b (c)) S 7 ${'0 '.repeat(9)}1 2 3 4 ${'0 '.repeat(4)}555 0 0`
  expect(parseStat(stat)).toEqual({ id: '42/555', pid: 42, parent: 7, started: 555, ticks: 10 })
})

test.runIf(process.platform === 'linux')('a process that outlives its parent is measured', async () => {
  const burn = 'const used = () => Object.values(process.cpuUsage()).reduce((a, b) => a + b); while (used() < 1.5e6);'
  const child = spawn('sh', ['-c', `setsid "${process.execPath}" -e '${burn} console.log()' & sleep 0.8`])
  const processor = measureProcessorTime(child.pid)
  // The pipe closes when the last process that holds it ends.
  child.stdout.resume()
  await once(child, 'close')
  const seconds = processor.seconds()
  processor.stop()
  expect(seconds).toBeGreaterThan(0.9)
  expect(seconds).toBeLessThan(2.5)
})
