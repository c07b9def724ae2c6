import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { CONSOLE } from './faults/console.mjs'
import { makeCopy, putIn, removeCopy, stopAll } from './faults/copy.mjs'
import { MISSED, readReport, writeReport } from './faults/report.mjs'
import { build, fileOf, isComplete, runNamed, runSuite } from './faults/run-tests.mjs'
import { SERVER } from './faults/server.mjs'
import { root, setup } from './setup.mjs'

const { operands, options } = readCommandLine('test:faults')
const [part = ''] = operands
const FAULTS = { Server: SERVER, Console: CONSOLE }
/** The faults that were tried in a run that was interrupted. */
const PROGRESS = join(root, '.setup/faults/progress.json')

checkList(Object.values(FAULTS).flat())
const results = readReport()
const wanted = Object.values(FAULTS)
  .flat()
  .filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()))
if (wanted.length === 0) exit(`No fault has “${part}” in its name.`)
if (options.check) {
  writeReport(FAULTS, results)
  exit()
}

setup()
const tried = readProgress()
if (tried.length > 0) console.log(`Continues after ${tried.length} faults; -- --again starts from the first one.`)
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => void stopAll().then(() => process.exit(130)))
makeCopy()
if (!(await build())) exit('The code as it is does not build.')
const rest = wanted.filter(({ name }) => !tried.includes(name))
/** The tests that pass without a fault. */
const passing = new Set()
console.log('The likely tests, without a fault …')
await learnPassing([...new Set(rest.flatMap(likelyTests))])
for (const fault of rest) {
  console.log(`\n${tried.length + 1} of ${wanted.length}: ${fault.name}`)
  const result = await tryOut(fault)
  console.log(`  npm test: ${result.test}\n  test:all: ${result.all}`)
  results.set(fault.name, { ...results.get(fault.name), ...result })
  writeReport(FAULTS, results)
  tried.push(fault.name)
  if (part === '') writeProgress()
}
removeCopy()
if (part === '') rmSync(PROGRESS, { force: true })
const missed = wanted.filter(({ name }) => results.get(name)?.all === MISSED)
exit(missed.length > 0 ? `Missed:\n${missed.map(({ name }) => name).join('\n')}` : undefined)

/** The tests that noticed the last time first, then their whole files, those of the changed file, and all. */
async function tryOut(fault) {
  const named = likelyTests(fault)
  const fast = await withFault(fault, [
    () => runNamed(named.filter((test) => !isComplete(test))),
    () => runNamed([...new Set(named.map(fileOf))].filter((file) => !isComplete(file))),
    () => runSuite('test', '--', '--changed'),
    () => runSuite('test'),
  ])
  if (fast) return { test: fast, all: fast }
  const all = await withFault(fault, [
    () => runNamed(named.filter((test) => isComplete(test))),
    () => runSuite('run', 'test:all', '--', '--rest'),
  ])
  return { test: MISSED, all: all ?? MISSED }
}

/** The first test that fails with the fault and passes without it. */
async function withFault(fault, steps) {
  for (const step of steps) {
    const takeOut = putIn(fault)
    const tests = await step().finally(takeOut)
    for (const { name, isFailed } of tests) if (isFailed && (await passesWithout(name))) return name
  }
}

/** A test that fails anyway notices nothing. */
async function passesWithout(test) {
  // The compiler and the linter find nothing in the code as it is.
  if (passing.has(test) || !test.includes(': ')) return true
  await learnPassing([test])
  if (!passing.has(test)) console.log(`  Fails without the fault too: ${test}`)
  return passing.has(test)
}

async function learnPassing(named) {
  for (const { name, isFailed } of await runNamed(named)) if (!isFailed) passing.add(name)
}

/** Those of the last time, if their files still exist. */
function likelyTests({ name }) {
  const { before, test, all } = results.get(name) ?? {}
  const last = new Set([test || before, all].filter((each) => each?.includes(': ')))
  return [...last].filter((each) => existsSync(join(root, fileOf(each))))
}

/** After a refactoring, the fault has to be put in elsewhere. */
function checkList(faults) {
  const wrong = faults.filter(({ file, find }) => {
    const path = join(root, file)
    return !existsSync(path) || readFileSync(path, 'utf8').split(find).length !== 2
  })
  const names = faults.map(({ name }) => name)
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  if (repeated.length > 0) exit(`Two faults have this name:\n${repeated.join('\n')}`)
  if (wrong.length > 0)
    exit(
      `Not exactly once in the file:\n${wrong.map(({ name, file, find }) => `${name}\n  ${file}\n  ${find}`).join('\n')}`,
    )
}

function readProgress() {
  if (options.again || part !== '' || !existsSync(PROGRESS)) return []
  return JSON.parse(readFileSync(PROGRESS, 'utf8'))
}

function writeProgress() {
  mkdirSync(dirname(PROGRESS), { recursive: true })
  writeFileSync(PROGRESS, JSON.stringify(tried))
}

function exit(problem) {
  if (problem) console.error(problem)
  process.exit(problem ? 1 : 0)
}
