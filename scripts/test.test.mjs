import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createMeter, measureProcessorTime, parseStat } from './processor-time.mjs'
import { compareWithBudget } from './test-budget.mjs'
import { affectedJourneys, areAllUnitTestsAffected } from './test-changed.mjs'

const SPECS = ['screens', 'users', 'users-form', 'user-access', 'bin', 'sources', 'source-import', 'combine']

test.each([
  ['a page of a feature', ['console/src/features/users/list.tsx'], ['users', 'users-form', 'screens']],
  ['routes of a feature', ['server/src/modules/source-import/routes.ts'], ['source-import', 'screens']],
  ['an endpoint', ['contract/src/bin.ts', 'contract/src/bin.schema.ts'], ['bin', 'screens']],
  ['only tests and docs', ['docs/api.md', 'README.md', 'console/src/features/users/list.test.tsx'], []],
])('a change of %s runs the journeys of that name', (_, changed, specs) => {
  expect(affectedJourneys(changed, SPECS)).toEqual(specs.map((spec) => `e2e/${spec}`))
})

test.each([
  'console/src/ui/list/table.tsx',
  'server/src/app.ts',
  'server/src/db/migrations/0001_first.sql',
  'contract/src/list.ts',
  'server/src/modules/audit/routes.ts',
  'package-lock.json',
  'scripts/start.mjs',
])('a change of %s runs all journeys', (file) => {
  expect(affectedJourneys(['console/src/features/users/list.tsx', file], SPECS)).toBeUndefined()
})

test('all unit and API tests run after a change of what they read but do not import', () => {
  expect(areAllUnitTestsAffected(['server/src/app.ts', 'README.md', 'e2e/fixtures/sources/a.csv'])).toBe(false)
  expect(areAllUnitTestsAffected(['server/src/db/migrations/0001_first.sql'])).toBe(true)
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
