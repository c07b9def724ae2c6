import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './setup.mjs'

const FEATURE = /^(?:console\/src\/features|server\/src\/modules)\/(?:auth\/)?([^/]+)\//
const CODE = /^(contract|console|server|e2e)\/.*\.(tsx?|css)$/
const TEST = /\.test\.tsx?$/
const SPEC = /^e2e\/(?:components\/)?(.+?)(?:\.complete)?\.spec\.ts$/
/** They import every feature, so what imports them says nothing about a change of one feature. */
const HUBS = ['server/src/app.ts', 'console/src/app/router.tsx']
const OF_EVERY_ROUTE = ['server/test/']
const OF_EVERY_SCREEN = ['e2e/screens']
/** No test depends on these; some read the docs. */
const HARMLESS = /^(bench|docs)\/|\.md$/
const OF_DOCS = ['docs.test', 'env.test', 'security-table.test', 'grants']
/** What all journeys and component tests run with. */
const OF_EVERY_SPEC = ['e2e/fixtures/', 'e2e/playwright.config.ts', 'e2e/components/gallery.setup.ts']

/** The paths of the tests that the changes since a commit can affect. Undefined stands for all. */
export function affectedTests({ base = 'HEAD', isAll }) {
  const since = commonAncestor(base)
  const list = (...args) => git(...args).filter((file) => isAll || !file.includes('.complete.'))
  const added = list('ls-files', '--others', '--exclude-standard')
  const code = [...list('ls-files'), ...added].filter((file) => CODE.test(file))
  const sources = new Map(code.map((file) => [file, readIfThere(join(root, file))]))
  return selectTests([...list('diff', '--name-only', since), ...added], sources)
}

/**
 * A change affects all files that import it, directly or not. An API test and a journey import none of the code that they
 * test, so the tests of an affected feature are those in its folder, and the journeys with its name.
 */
export function selectTests(changed, sources) {
  const importers = new Map()
  for (const [file, text] of sources) {
    for (const imported of importsOf(file, text)) importers.set(imported, [...(importers.get(imported) ?? []), file])
  }
  const each = changed.map((file) => selectFor(file, [...sources.keys()], importers))
  const all = (kind) =>
    each.every((tests) => tests[kind]) ? [...new Set(each.flatMap((tests) => tests[kind]))] : undefined
  return { unit: all('unit'), journeys: all('journeys') }
}

function selectFor(changed, code, importers) {
  if (HARMLESS.test(changed)) return { unit: OF_DOCS, journeys: [] }
  if (OF_EVERY_SPEC.some((path) => changed.startsWith(path))) return { unit: [], journeys: undefined }
  if (!code.includes(changed)) return {}
  const affected = dependents(changed, importers)
  const tests = affected.filter((file) => TEST.test(file))
  const specs = affected.filter((file) => SPEC.test(file))
  if (TEST.test(changed) || changed.startsWith('e2e/')) return { unit: tests, journeys: specs }

  const features = [...new Set(affected.flatMap((file) => (TEST.test(file) ? [] : (FEATURE.exec(file)?.[1] ?? []))))]
  const beside = code.filter(
    (file) => TEST.test(file) && (features.includes(FEATURE.exec(file)?.[1]) || affected.includes(testedBy(file))),
  )
  const named = features.map((feature) => code.filter((file) => hasName(SPEC.exec(file)?.[1], feature)))
  // Code that features share, or a feature without a journey of its own.
  const isShared = named.length === 0 || named.some((found) => found.length === 0)
  return {
    unit: [...tests, ...beside, ...(changed.startsWith('console/') ? [] : OF_EVERY_ROUTE)],
    journeys: isShared ? undefined : [...named.flat(), ...specs, ...answering(features, importers), ...OF_EVERY_SCREEN],
  }
}

/** The file that a test beside it is named after. */
function testedBy(test) {
  return test.replace(TEST, '.ts')
}

/** Component tests of other names in which calls of these features are answered. */
function answering(features, importers) {
  return features
    .flatMap((feature) => importers.get(`contract/src/${feature}.ts`) ?? [])
    .filter((file) => file.startsWith('e2e/components/') && SPEC.test(file))
}

function hasName(journey = '', feature) {
  return `-${journey}-`.includes(`-${feature}-`)
}

function dependents(changed, importers) {
  const found = new Set([changed])
  // A set also visits what is added meanwhile.
  for (const file of found) {
    if (HUBS.includes(file) && file !== changed) continue
    for (const importer of importers.get(file) ?? []) found.add(importer)
  }
  return [...found]
}

/** Every text that looks like a path, because workers are not imported. */
function importsOf(file, text) {
  return [...text.matchAll(/['"](\.\.?\/[^'"\n]+|@watchdesk\/[^'"\n]+)['"]/g)].map(([, path]) => {
    const [, workspace, rest] = /^@watchdesk\/([^/]+)\/(.+)$/.exec(path) ?? []
    return workspace ? `${workspace}/src/${rest}.ts` : posix.join(posix.dirname(file), path)
  })
}

/** A file may be deleted but not yet committed. */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function commonAncestor(base) {
  try {
    return git('merge-base', '--', 'HEAD', base)[0]
  } catch {
    console.error(`--changed compares with a commit or branch of this git repository; '${base}' is none.`)
    process.exit(2)
  }
}

function git(...args) {
  const command = ['-c', 'core.quotePath=false', ...args]
  return execFileSync('git', command, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter(Boolean)
}
