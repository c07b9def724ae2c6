import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { useFolder } from './helpers/folder.ts'
import { FIRST_ADMIN, openToken } from './helpers/people.ts'
import { useWatchdesk } from './helpers/watchdesk.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const text = await readFile(join(root, 'docs/api.md'), 'utf8')
const blocksOf = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code)
const [readMe = '', listUsers = '', editMe = '', importFile = ''] = blocksOf('sh')
const [script = ''] = blocksOf('ts')

const watchdesk = useWatchdesk({}, { isListening: true })
const folder = useFolder()
let env: Record<string, string>

beforeAll(async () => {
  const { token } = await openToken(watchdesk, FIRST_ADMIN.id)
  env = { PATH: process.env.PATH ?? '', WATCHDESK_URL: watchdesk.url, WATCHDESK_TOKEN: token }
  watchdesk.deps.jobs.start((error) => console.error(error))
})

const shell = async (code: string, more = {}) =>
  (await run('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, env: { ...env, ...more } })).stdout

test('the first example reads the user of the token', async () => {
  expect(JSON.parse(await shell(readMe))).toMatchObject({ id: FIRST_ADMIN.id })
  await expect(shell(readMe, { WATCHDESK_TOKEN: 'wdk_wrong' })).rejects.toThrow('401')
})

test('the example of a list reads all pages', async () => {
  await watchdesk.database.pool.query(
    `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
      select 1, 'Many', 'Users', 'many' || n || '@example.com', 'none', false, false, 'STANDARD', ''
      from generate_series(1, 120) as n`,
  )
  expect((await shell(listUsers)).trim().split('\n')).toHaveLength(121)
})

test('the example of a change sends the version', async () => {
  expect(JSON.parse(await shell(editMe))).toMatchObject({ language: 'EN', version: 2 })
})

test('the example of an import waits for the job', async () => {
  expect(await shell(importFile)).toBe('The import is done\n')
  const { rowCount } = await watchdesk.database.pool.query(
    `select from sources where url like '%from_a_script' and platform = 'TELEGRAM'`,
  )
  expect(rowCount).toBe(1)
})

test('the TypeScript example compiles and runs', async () => {
  await writeFile(join(folder, 'script.mts'), script)
  const types = ['--strict', '--skipLibCheck', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const output = ['--module', 'nodenext', '--target', 'es2023', '--outDir', folder]
  await run(join(root, 'node_modules/.bin/tsc'), ['script.mts', ...types, ...output], { cwd: folder })
  const { stdout } = await run(process.execPath, ['script.mjs'], { cwd: folder, env })
  expect(stdout).toBe('121 users; version 3 of admin@watchdesk.local\n')
})
