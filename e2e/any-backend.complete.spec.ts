import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { IRYNA, pageOf, startOtherBackend } from './other-backend.ts'
import { runCommand } from './processes.ts'
import { errorLine, REFUSED, storedToken, submit } from './session-page.ts'
import { test as base, expect } from './test.ts'

const TOKEN = 'eyJhbGciOi.any.token'
const RUNS = '/api/v1/airflow/vectorize-narrative'
const CATALOGS = ['available_roles', 'all_roles', 'all_featureflags', 'case_types']

/** Calls that the console makes to find out whether the backend has them. */
const OPTIONAL_CALLS = [
  'GET /api/v1/login/options',
  ...['audit', 'bin', 'imports', 'overview', 'sources'].map((name) => `GET /api/v1/${name}/`),
]

type Site = { url: string; backend: Awaited<ReturnType<typeof startOtherBackend>> }

const test = base.extend<{ site: Site }>({
  // The console, built for a backend at another address.
  site: [
    async ({ faults }, use) => {
      const backend = await startOtherBackend({ isOpen: true })
      const folder = await mkdtemp(join(tmpdir(), 'console-'))
      const args = ['node_modules/vite/bin/vite.js', 'build', 'console', '--outDir', folder, '--logLevel', 'warn']
      const { code, output } = await runCommand(process.execPath, args, { VITE_API_URL: backend.url })
      expect(code, output).toBe(0)
      const site = await startOtherBackend({ files: pathToFileURL(`${folder}/`) })
      for (const { url } of [site, backend]) faults.allowOrigin(url)
      await use({ url: site.url, backend })
      const missing = backend.calls.map(({ call }) => call).filter((call) => !(call in backend.responses))
      expect(missing.filter((call) => !OPTIONAL_CALLS.includes(call))).toEqual([])
      // The page may still call it.
      faults.end()
      await Promise.all([site.stop(), backend.stop()])
      await rm(folder, { recursive: true, force: true })
    },
    { timeout: 180_000 },
  ],
})

test('signs in at the address it was built for, and lists its users; a file is uploaded to its address, and a run is triggered there', async ({
  page,
  faults,
  site: { url, backend },
}) => {
  faults.allow(REFUSED)
  const answer = (call: string, body: unknown, status = 200) => {
    backend.responses[call] = { status, body }
  }
  answer('GET /api/v1/users/me', IRYNA)
  answer('GET /api/v1/users/', pageOf(IRYNA))
  answer('GET /api/v1/workspaces/', pageOf())
  for (const name of CATALOGS) answer(`GET /api/v1/config/${name}`, [])
  answer('POST /api/v1/login', { detail: 'Incorrect username or password' }, 401)
  await page.goto(url)
  await expect(page).toHaveURL(`${url}/login`)
  await expect(page.getByRole('button')).toHaveText(['', 'Login'])
  await submit(page, { email: IRYNA.email, password: 'wrong' })
  await expect(errorLine(page)).toHaveText('Incorrect username or password')

  answer('POST /api/v1/login', { access_token: TOKEN, token_type: 'bearer' })
  const list = page.waitForRequest(`${backend.url}/api/v1/users/**`)
  await submit(page, { email: IRYNA.email, password: 'secret' })
  await expect(page).toHaveURL(`${url}/users`)
  expect(await storedToken(page)).toBe(TOKEN)
  expect((await list).headers().authorization).toBe(`Bearer ${TOKEN}`)
  const badges = 'Super adminWorkspace admin'
  const cells = ['7', 'Civic Pulse', 'Iryna Shevchuk', IRYNA.email, badges, 'MODERATOR', 'Auto', '']
  await expect(page.getByRole('table').getByRole('cell')).toHaveText(cells)

  answer('POST /api/v1/stories-import/from-file', { summaries: [{ narrative_id: 7, imported_stories_count: 1 }] })
  await page.goto(`${url}/stories_import`)
  const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.alloc(100_000, 'a') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Import stories' }).click()
  await expect(page.getByRole('main')).toContainText('1 stories imported into narrative 7')

  answer(`GET ${RUNS}`, pageOf())
  answer(`POST ${RUNS}`, { execution_date: '2026-11-15' })
  await page.getByRole('link', { name: 'Vectorize narrative 7' }).click()
  await page.getByRole('button', { name: 'Trigger vectorization' }).click()
  await expect(page.getByRole('textbox', { name: 'Execution date' })).toHaveValue('2026-11-15')
})
