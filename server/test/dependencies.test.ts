import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

type Package = { resolved?: string; integrity?: string; link?: boolean }
type Manifest = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>>

const root = fileURLToPath(new URL('../..', import.meta.url))

function read<Content>(file: string) {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Content
}

const { packages } = read<{ packages: Record<string, Package> }>('package-lock.json')
const libraries = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)

test('every library has a SHA-512 hash in the lock file, and comes from the npm registry', () => {
  expect(libraries.length).toBeGreaterThan(100)
  expect(libraries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  // Without an address, npm asks the registry.
  const isFromRegistry = ({ resolved }: Package) =>
    resolved === undefined || resolved.startsWith('https://registry.npmjs.org/')
  expect(libraries.filter(([, library]) => !isFromRegistry(library))).toEqual([])
})

test('every library that we chose has an exact version', () => {
  const manifests = ['.', ...readdirSync(root)].map((folder) => join(folder, 'package.json'))
  const wanted = manifests
    .filter((file) => existsSync(join(root, file)))
    .map((file) => read<Manifest>(file))
    .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
    )
    .filter(([name]) => !name.startsWith('@watchdesk/'))
  expect(wanted.length).toBeGreaterThan(20)
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})

/** What a built module and those that it imports load from outside of this project. */
function librariesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  const imports = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?:[^'"=]* from )?['"]([^'"]+)['"]/gm)]
  return imports.flatMap(([, name = '']) => {
    if (name.startsWith('.')) return librariesOf(join(file, '..', name), seen)
    if (!name.startsWith('@watchdesk/contract/')) return [name]
    return librariesOf(join(root, 'contract/dist', `${name.slice('@watchdesk/contract/'.length)}.js`), seen)
  })
}

test('a worker starts soon: it loads little more than what it needs to read a CSV file', () => {
  const build = join(root, 'server/dist')
  const workers = readdirSync(build, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.worker.js'),
  )
  expect(workers.length).toBeGreaterThanOrEqual(4)
  const names = workers.flatMap((name) => librariesOf(join(build, name)))
  expect(new Set(names.filter((name) => !/^(node:|i18n-iso-countries\/)/.test(name)))).toEqual(new Set())
})
