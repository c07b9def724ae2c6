import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ROOT, runCommand } from './processes.ts'

// A project as small as can be, with the real scripts. Its packages come from a registry on loopback: the compiler and the
// bundler copy a file, or fail if it says so.
const folder = mkdtempSync(join(tmpdir(), 'watchdesk-setup-'))
const [finished, project] = [join(folder, 'finished'), join(folder, 'project')]
const UNREACHABLE = 'http://127.0.0.1:9'
const COPY = (from: string, to: string) => `
  const fs = require('node:fs')
  const text = fs.readFileSync('${from}', 'utf8')
  if (text.includes('broken')) process.exit(1)
  fs.mkdirSync('${dirname(to)}', { recursive: true })
  fs.writeFileSync('${to}', text)`
const REGISTRY: Record<string, Record<string, string>> = {
  needed: { 'index.js': '' },
  typescript: {
    'bin/tsc': `${COPY('server/src/main.ts', 'server/dist/main.js')};{${COPY('server/src/main.ts', 'contract/dist/users.js')}}`,
  },
  vite: { 'bin/vite.js': COPY('console/index.html', 'console/dist/index.html') },
}
const registry = createServer((request, response) => {
  const [name = '', file] = (request.url ?? '').slice(1).split('/-/')
  if (file) return response.end(readFileSync(join(folder, file)))
  const tarball = `http://${request.headers.host}/${name}/-/${name}.tgz`
  const versions = { '1.0.0': { name, version: '1.0.0', dist: { tarball } } }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions }))
})
let address = ''

beforeAll(async () => {
  for (const [name, files] of Object.entries(REGISTRY)) {
    write(join(folder, name, 'package'), { ...files, 'package.json': JSON.stringify({ name, version: '1.0.0' }) })
    execFileSync('tar', ['-czf', join(folder, `${name}.tgz`), '-C', join(folder, name), 'package'])
  }
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(registry.address() as { port: number }).port}`
  for (const path of ['scripts', '.npmrc']) cpSync(join(ROOT, path), join(finished, path), { recursive: true })
  const workspace = (name: string) => JSON.stringify({ name: `@watchdesk/${name}`, version: '1.0.0' })
  write(finished, {
    'package.json': JSON.stringify({
      workspaces: ['contract', 'server', 'console'],
      dependencies: { needed: '1.0.0' },
      devDependencies: { typescript: '1.0.0', vite: '1.0.0' },
    }),
    'contract/package.json': workspace('contract'),
    'server/package.json': workspace('server'),
    'console/package.json': workspace('console'),
    'server/src/main.ts': `console.log('first release')`,
    'console/index.html': '<html>',
  })
  await npm('install', '--package-lock-only')
  expect(await start(finished)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Installing(.|\n)*Building(.|\n)*first release/),
  })
})
afterAll(() => {
  registry.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  rmSync(project, { recursive: true, force: true })
  cpSync(finished, project, { recursive: true, verbatimSymlinks: true })
})

test.each([
  ['npm prune', ['prune', '--omit=dev'], []],
  ['npm ci', ['ci', '--omit=dev'], []],
  ['npm ci, copied without its stamps', ['ci', '--omit=dev'], ['.setup', 'node_modules/.package-lock.json']],
])('a built project without packages for development starts as it is: %s', async (_, command, removed) => {
  await npm(...command)
  for (const path of removed) rmSync(join(project, path), { recursive: true })
  expect(existsSync(join(project, 'node_modules/typescript'))).toBe(false)
  const before = contents()
  expect(await start(project, UNREACHABLE)).toEqual({ code: 0, output: 'first release\n' })
  expect(contents()).toEqual(before)
})

test('an install that fails leaves the packages and the build as they were', async () => {
  rmSync(join(project, 'node_modules/needed'), { recursive: true })
  const before = contents()
  const { code, output } = await start(project, UNREACHABLE)
  expect(code).toBe(1)
  expect(output).toContain('Set-up stopped: ')
  expect(contents()).toEqual(before)
  expect(await start(project)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Installing(.|\n)*first release/),
  })
})

test.each(['server/src/main.ts', 'console/index.html'])(
  'a build that fails because of %s leaves the one before',
  async (path) => {
    write(project, { 'server/src/main.ts': `console.log('second release')`, [path]: 'broken' })
    const before = contents()
    expect(await start(project, UNREACHABLE)).toMatchObject({ code: 1 })
    expect(contents()).toEqual(before)
    write(project, { 'server/src/main.ts': `console.log('second release')`, [path]: `console.log('second release')` })
    expect(await start(project, UNREACHABLE)).toEqual({ code: 0, output: 'Building …\nsecond release\n' })
  },
)

test('a set-up for development installs what npm start does not need', async () => {
  await npm('prune', '--omit=dev')
  expect(await run('setup', project)).toMatchObject({ code: 0, output: expect.stringContaining('Installing packages') })
  expect(existsSync(join(project, 'node_modules/typescript'))).toBe(true)
})

test('after a kill between two renames, the packages and the build from before are used', async () => {
  mkdirSync(join(project, '.setup/old/server'), { recursive: true })
  for (const path of ['node_modules', 'server/dist']) renameSync(join(project, path), join(project, '.setup/old', path))
  write(project, { 'node_modules/half': '' })
  expect(await start(project, UNREACHABLE)).toEqual({ code: 0, output: 'first release\n' })
  expect(contents()).not.toContain('node_modules/half')
})

function start(cwd: string, from = address) {
  return run('start', cwd, from)
}

function run(script: string, cwd: string, from = address) {
  return runCommand(process.execPath, [`scripts/${script}.mjs`], npmSettings(from), { cwd })
}

async function npm(...args: string[]) {
  const cwd = existsSync(join(finished, 'node_modules')) ? project : finished
  const { code, output } = await runCommand('npm', args, npmSettings(address), { cwd })
  expect(code, output).toBe(0)
}

function npmSettings(from: string) {
  return {
    HOME: folder,
    npm_config_registry: from,
    npm_config_cache: join(folder, from === address ? 'cache' : 'no-cache'),
    npm_config_userconfig: join(folder, '.npmrc'),
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
  }
}

/** Everything that was installed or built. */
function contents() {
  const found = execFileSync(
    'find',
    ['-H', 'node_modules', 'contract', 'server', 'console', '-type', 'f', '-printf', '%p %s %i\n'],
    { cwd: project, encoding: 'utf8' },
  )
  return found.split('\n').sort()
}

function write(to: string, files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), text)
  }
}
