import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { root, tool } from './setup.mjs'

/** These visit every screen, so they run with every change of one. */
const EVERY_SCREEN = ['screens']
const FEATURE = /^(?:console\/src\/features|server\/src\/modules)\/([^/]+)\/|^contract\/src\/([^/.]+)(?:\.schema)?\.ts$/

/**
 * The test files that the changes since a commit can affect, or undefined for all of them. Tests import the code that they
 * test, except journeys and those that read a file or start a process: for these the path of the changed file decides.
 */
export function affectedTests(base = 'HEAD') {
  const since = git('merge-base', 'HEAD', base)[0]
  const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
  const journeys = affectedJourneys(changed, specFiles())
  return {
    unit: areAllUnitTestsAffected(changed) ? undefined : unitTests(since, changed),
    journeys: journeys && changed.some((file) => file.startsWith('e2e/')) ? [...journeys, ...specs(since)] : journeys,
  }
}

/** Whether something changed that tests do not import, but read or run. */
export function areAllUnitTestsAffected(changed) {
  return changed.some((file) => !file.startsWith('e2e/') && !/\.(ts|tsx|css|md)$/.test(file))
}

/**
 * The journeys named like the changed features, and undefined, for all of them, if the change is in code that features
 * share or in a feature without a journey of its name.
 */
export function affectedJourneys(changed, all) {
  const found = new Set()
  for (const file of changed.filter((file) => !/^e2e\/|^docs\/|^bench\/|\.md$|\.test\.tsx?$/.test(file))) {
    const match = FEATURE.exec(file)
    const named = match ? all.filter((spec) => `-${spec}`.includes(`-${match[1] ?? match[2]}`)) : []
    if (named.length === 0) return undefined
    for (const spec of [...named, ...EVERY_SCREEN]) found.add(`e2e/${spec}`)
  }
  return [...found]
}

/** Those that import a changed file, those in its folder, which may start it in a worker, and those that read the docs. */
function unitTests(since, changed) {
  const importing = run(tool('vitest/vitest.mjs', 'list', '--changed', since, '--filesOnly', '--json'))
  const folders = changed.filter((file) => /^(contract|console|server)\/.*\.tsx?$/.test(file)).map(dirname)
  const docs = changed.some((file) => file.endsWith('.md')) ? ['docs.test', 'env.test', 'security-table.test'] : []
  return [
    ...new Set([...JSON.parse(importing).map(({ file }) => file), ...folders.map((folder) => `${folder}/`), ...docs]),
  ]
}

function specs(since) {
  const options = ['--config', 'e2e/playwright.config.ts', '--list', '--reporter=json', '--pass-with-no-tests']
  const { suites } = JSON.parse(run(tool('@playwright/test/cli.js', 'test', `--only-changed=${since}`, ...options)))
  return suites.map(({ file }) => `e2e/${file}`)
}

function specFiles() {
  return readdirSync(`${root}e2e`).flatMap((name) => name.match(/^(.+?)(?:\.complete)?\.spec\.ts$/)?.[1] ?? [])
}

function git(...args) {
  return run(['git', args]).split('\n').filter(Boolean)
}

function run([command, args]) {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
}
