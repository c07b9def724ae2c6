import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const FILES = ['contract', 'server', 'console', 'e2e', 'bench', 'scripts', 'docs'].flatMap(filesBelow)
FILES.push(...readdirSync(root))
const DOCS = FILES.filter((file) => /^(docs\/.*|[^/]*)\.md$/.test(file))
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

function read(file: string) {
  return readFileSync(join(root, file), 'utf8')
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist'].includes(name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
}

/** All matches of the pattern, or of its first group. */
function all(text: string, pattern: RegExp) {
  return [...text.matchAll(pattern)].map(([whole, group]) => group ?? whole)
}

test.each(DOCS)('the files, links and commands in %s exist', (doc) => {
  const text = read(doc)
  const files = all(text, /`([\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|sql|py|md|json))`/g)
  expect(files.filter((file) => !FILES.some((known) => `/${known}`.endsWith(`/${file}`)))).toEqual([])
  const links = all(text, /(?:\]\(|src="|srcset=")(?!https?:)([^)"]+)/g)
  expect(links.filter((link) => !leadsSomewhere(doc, link))).toEqual([])
  expect(all(text, /npm run ([\w:-]+)/g).filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

function leadsSomewhere(doc: string, link: string) {
  const [path = '', heading] = link.split('#')
  const file = path === '' ? doc : join(dirname(doc), path)
  return existsSync(join(root, file)) && (heading === undefined || headingsOf(file).includes(heading))
}

/** As GitHub names them in addresses. */
function headingsOf(file: string) {
  return all(read(file), /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

test('every image is shown', () => {
  const shown = DOCS.map(read).join()
  expect(FILES.filter((file) => file.startsWith('docs/images/') && !shown.includes(basename(file)))).toEqual([])
})

test('every command of package.json is in the README or in CONTRIBUTING', () => {
  const named = all(read('README.md') + read('CONTRIBUTING.md'), /npm (?:run )?([\w:-]+)/g)
  expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([])
})

test('the diagram in ARCHITECTURE has every folder of server and console, and no others', () => {
  const diagram = /```\n([\s\S]*?)```/.exec(read('ARCHITECTURE.md'))?.[1] ?? ''
  expect(all(diagram, /^([\w/]+)\//gm).filter((folder) => !existsSync(join(root, folder)))).toEqual([])
  expect(all(diagram, /^ {2}([\w-]+)\//gm).sort()).toEqual(foldersIn('server/src', 'console/src'))
})

function foldersIn(...parents: string[]) {
  return parents
    .flatMap((parent) => readdirSync(join(root, parent), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

test('each decision has a unique number, in its file name and in its title', () => {
  const decisions = readdirSync(join(root, 'docs/decisions')).sort()
  const numbers = decisions.map((name) => name.slice(0, 4))
  expect(new Set(numbers).size).toBe(decisions.length)
  expect(decisions.map((name) => read(`docs/decisions/${name}`).slice(0, 6))).toEqual(
    numbers.map((number) => `# ${number}`),
  )
})
