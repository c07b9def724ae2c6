import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OtherBackend, startOtherBackend } from './other-backend.ts'
import { runCommand } from './processes.ts'
import { errorLine, REFUSED, storedToken, submit } from './session-page.ts'
import { expect, storeToken, test } from './test.ts'

const IRYNA = {
  id: 7,
  first_name: 'Iryna',
  last_name: 'Shevchuk',
  email: 'iryna@civic.example',
  workspace_id: 3,
  workspace: { id: 3, name: 'Civic Pulse' },
  is_admin: true,
  is_super_admin: true,
  type: 'MODERATOR',
  language: null,
}

/** A workspace from a backend with the settings at the top level and without versions. */
const CIVIC = {
  id: 3,
  name: 'Civic Pulse',
  description: 'Elections',
  status: null,
  featureflags: ['exports'],
  roles: ['analyst'],
  tags: [],
  search_similarity_threshold: 0.65,
  keywords_parser_class: 'SimpleParser',
  is_ucbi_admin: true,
  is_ucbi_reporter: false,
  is_reporter_only_user: false,
}

const RESPONSES = {
  'POST /api/v1/login': { access_token: 'eyJhbGciOi.any.token', token_type: 'bearer' },
  'GET /api/v1/users/me': IRYNA,
  'GET /api/v1/users/': { objects: [IRYNA], total: 1, size: 20 },
  'GET /api/v1/users/7': IRYNA,
  'GET /api/v1/workspaces/': { objects: [CIVIC], total: 1, size: 20 },
  'GET /api/v1/workspaces/3': CIVIC,
  'GET /api/v1/config/available_roles': ['analyst'],
  'GET /api/v1/config/all_roles': ['analyst', 'editor'],
  'GET /api/v1/config/all_featureflags': ['exports'],
  'GET /api/v1/config/case_types': ['fraud'],
  'GET /api/v1/config/vectorization_models': { Small: 'small' },
  'GET /api/v1/config/website_config': { default_case_types: '[]', default_stories_vectors_model: 'small' },
  'GET /api/v1/powerbi_dashboards/': { objects: [] },
}

let backend: OtherBackend
let site: OtherBackend
let folder: string

// In one worker, so that the console is built once.
test.describe.configure({ mode: 'default' })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  backend = await startOtherBackend({ isOpen: true })
  folder = await mkdtemp(join(tmpdir(), 'console-'))
  const args = ['node_modules/vite/bin/vite.js', 'build', 'console', '--outDir', folder, '--logLevel', 'warn']
  const { code, output } = await runCommand(process.execPath, args, { VITE_API_URL: backend.url })
  expect(code, output).toBe(0)
  site = await startOtherBackend({ files: pathToFileURL(`${folder}/`) })
})

test.afterAll(async () => {
  await Promise.all([site?.stop(), backend?.stop()])
  await rm(folder, { recursive: true, force: true })
})

/** Calls that the console makes to find out whether the backend has them. */
const OPTIONAL_CALLS = [
  'GET /api/v1/login/options',
  ...['audit', 'bin', 'imports', 'overview', 'sources'].map((name) => `GET /api/v1/${name}/`),
]

test.afterEach(() => {
  const missing = backend.calls.map(({ call }) => call).filter((call) => !(call in backend.responses))
  expect(missing.filter((call) => !OPTIONAL_CALLS.includes(call))).toEqual([])
})

test.beforeEach(({ faults }) => {
  faults.allow(/Failed to load resource.*status of 404/)
  faults.allowOrigin(site.url)
  faults.allowOrigin(backend.url)
  backend.calls.length = 0
  for (const call of Object.keys(backend.responses)) delete backend.responses[call]
  for (const [call, body] of Object.entries(RESPONSES)) backend.responses[call] = { status: 200, body }
})

test('signs in at the address it was built for, and lists its users', async ({ page, faults }) => {
  faults.allow(REFUSED)
  backend.responses['POST /api/v1/login'] = { status: 401, body: { detail: 'Incorrect username or password' } }
  await page.goto(site.url)
  await expect(page).toHaveURL(`${site.url}/login`)
  await expect(page.getByRole('button')).toHaveText(['', 'Login'])
  await submit(page, { email: IRYNA.email, password: 'wrong' })
  await expect(errorLine(page)).toHaveText('Incorrect username or password')

  backend.responses['POST /api/v1/login'] = { status: 200, body: RESPONSES['POST /api/v1/login'] }
  const list = page.waitForRequest(`${backend.url}/api/v1/users/**`)
  await submit(page, { email: IRYNA.email, password: 'secret' })
  await expect(page).toHaveURL(`${site.url}/users`)
  expect(await storedToken(page)).toBe('eyJhbGciOi.any.token')
  expect((await list).headers().authorization).toBe('Bearer eyJhbGciOi.any.token')
  const cells = [
    '7',
    'Civic Pulse',
    'Iryna Shevchuk',
    IRYNA.email,
    'Super adminWorkspace admin',
    'MODERATOR',
    'Auto',
    '',
  ]
  await expect(page.getByRole('table').getByRole('cell')).toHaveText(cells)
})

test.describe('signed in', () => {
  test.beforeEach(({ page }) => storeToken(page, site.url, 'any'))

  test('the items of a 422 are shown on separate lines, and under their fields', async ({ page, faults }) => {
    faults.allow(REFUSED)
    const detail = [
      { loc: ['body', 'first_name'], msg: 'String should have at most 3 characters', type: 'string_too_long' },
      { loc: ['body', 'email'], msg: 'value is not a valid email address', type: 'value_error' },
    ]
    backend.responses['PATCH /api/v1/users/7'] = { status: 422, body: { detail } }
    await page.goto(`${site.url}/users/7/edit`)
    await page.getByRole('textbox', { name: 'Last name' }).fill('Shevchenko')
    await page.getByRole('button', { name: 'Save' }).click()
    const toast = page.locator('[data-kind=error]')
    await expect(toast).toBeVisible()
    expect(await toast.innerText()).toBe(detail.map(({ msg }) => msg).join('\n'))
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(detail[1]?.msg ?? '')

    backend.responses['PATCH /api/v1/users/7'] = { status: 403, body: { detail: 'Not enough permissions' } }
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(toast.filter({ hasText: 'Not enough permissions' })).toBeVisible()

    backend.responses['PATCH /api/v1/users/7'] = { status: 200, body: null }
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(`${site.url}/users`)
  })

  test('your own email and password are changed with only the fields of the spec', async ({ page }) => {
    backend.responses['PATCH /api/v1/users/7'] = { status: 200, body: null }
    await page.goto(`${site.url}/users/7/edit`)
    await page.getByRole('textbox', { name: 'Email' }).fill('iryna.s@civic.example')
    await page.getByRole('switch', { name: 'Change password' }).click({ force: true })
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('any password')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(`${site.url}/users`)
    const sent = backend.calls
      .filter(({ call }) => call === 'PATCH /api/v1/users/7')
      .map(({ body }) => JSON.parse(body))
    expect(sent).toEqual([expect.objectContaining({ email: 'iryna.s@civic.example', password: 'any password' })])
    expect(sent[0]).not.toHaveProperty('current_password')
  })

  test('screens whose calls the backend does not have are neither in the menu nor linked, and it is asked once', async ({
    page,
  }) => {
    await page.goto(`${site.url}/users`)
    const menu = page.getByRole('navigation', { name: 'Main' })
    await expect(menu.getByRole('link', { name: 'PowerBI Dashboards' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Activity' })).toHaveCount(0)
    await expect(menu.getByText('Records')).toHaveCount(0)
    for (const path of ['/users', '/users/create', '/stories_import', '/source_management']) {
      await page.goto(site.url + path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('link', { name: /Add many users|Earlier imports/ })).toHaveCount(0)
    }
    await page.reload()
    await expect(menu.getByRole('link', { name: 'PowerBI Dashboards' })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Activity' })).toHaveCount(0)
    expect(backend.calls.filter(({ call }) => call === 'GET /api/v1/audit/')).toHaveLength(1)
  })

  test('a workspace with its fields at the top level is listed, shown and edited', async ({ page }) => {
    await page.goto(`${site.url}/workspaces`)
    await expect(page.getByRole('row').filter({ hasText: 'Civic Pulse' })).toContainText('analyst')
    await page.goto(`${site.url}/workspaces/3`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Civic Pulse')
    const main = page.getByRole('main')
    for (const text of ['Elections', 'analyst', 'exports', '0.65', 'SimpleParser'])
      await expect(main).toContainText(text)
    await expect(page.getByRole('table')).toContainText('Iryna Shevchuk')

    await page.goto(`${site.url}/workspaces/3/edit`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Civic Pulse')
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Civic Pulse')
    expect(backend.calls.map(({ call }) => call)).toContain('GET /api/v1/workspaces/3')
  })

  test('a file is uploaded to its address, and a run is triggered there', async ({ page }) => {
    const summaries = [{ narrative_id: 7, imported_stories_count: 1 }]
    backend.responses['POST /api/v1/stories-import/from-file'] = { status: 200, body: { summaries } }
    await page.goto(`${site.url}/stories_import`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.alloc(100_000, 'a') })
    await page.getByRole('button', { name: 'Import stories' }).click()
    await expect(page.getByRole('main')).toContainText('1 stories imported into narrative 7')

    backend.responses['GET /api/v1/airflow/vectorize-narrative'] = {
      status: 200,
      body: { objects: [], total: 0, size: 20 },
    }
    backend.responses['POST /api/v1/airflow/vectorize-narrative'] = {
      status: 200,
      body: { execution_date: '2026-11-15' },
    }
    await page.getByRole('link', { name: 'Vectorize narrative 7' }).click()
    await page.getByRole('button', { name: 'Trigger vectorization' }).click()
    await expect(page.getByRole('textbox', { name: 'Execution date' })).toHaveValue('2026-11-15')
  })
})
