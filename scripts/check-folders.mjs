import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './setup.mjs'

/**
 * Fails if folders import each other in a circle. A file at the top of `src` is no folder: these put the others together,
 * and say what a module gets (`deps.ts`).
 */
const source = join(root, 'server/src')
const IMPORT = /(?:from|import) ?\(?'(\.[^']+)'/g

function folderOf(file) {
  const [top, ...rest] = relative(source, dirname(file)).split('/')
  if (top !== 'modules') return top
  return rest.slice(0, rest[0] === 'auth' ? 2 : 1).join('/')
}

/** What each folder imports: the other folder, and a file that does. */
const imports = new Map()
for (const name of readdirSync(source, { recursive: true })) {
  if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
  const file = join(source, name)
  for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const [from, to] = [folderOf(file), folderOf(join(dirname(file), path))]
    if (from === '' || to === '' || from === to) continue
    if (!imports.has(from)) imports.set(from, new Map())
    imports.get(from).set(to, `${name} imports ${path}`)
  }
}

const done = new Set()
function findCircle(folder, path) {
  if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder]
  if (done.has(folder)) return
  for (const next of imports.get(folder)?.keys() ?? []) {
    const circle = findCircle(next, [...path, folder])
    if (circle) return circle
  }
  done.add(folder)
}

for (const folder of imports.keys()) {
  const circle = findCircle(folder, [])
  if (!circle) continue
  const steps = circle.slice(1).map((next, i) => `  ${imports.get(circle[i]).get(next)}`)
  console.error(`These folders import each other:\n${steps.join('\n')}`)
  process.exit(1)
}
