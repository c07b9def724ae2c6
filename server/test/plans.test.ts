import { binList } from '@watchdesk/contract/bin'
import { columnsOf, type ListOptions } from '@watchdesk/contract/list'
import { runList } from '@watchdesk/contract/narratives-vectorization'
import { sheetList } from '@watchdesk/contract/sheets'
import { sourceList } from '@watchdesk/contract/sources'
import { userList } from '@watchdesk/contract/users'
import { workspaceList } from '@watchdesk/contract/workspaces'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADMIN, PASSWORD, useWatchdesk } from './helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

/** Just enough rows for the planner to prefer an index: where there are far more, it has no choice. */
const SEED = [
  `insert into workspaces (name, description, analytical_quota, ai_quota, config)
    select 'Workspace ' || n, '', analytical_quota, ai_quota, config from generate_series(1, 5000) n, workspaces where id = 1`,
  `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
    select 1 + n % 5000, 'Olena', 'Kovalenko ' || n, 'user' || n || '@example.com', '-', false, false, 'STANDARD', ''
    from generate_series(1, 10000) n`,
  `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language, deleted_at)
    select 1 + n % 5000, 'Olena', 'Kovalenko ' || n, 'user' || n || '@example.com', '-', false, false, 'STANDARD', '', now()
    from generate_series(1, 300) n`,
  `insert into audit_events (action, entity, entity_id, actor_id, actor_name, record_name, workspace_id, parent_id, changes)
    select 'update', (array['user', 'workspace', 'sheet'])[1 + n % 3], 1 + n % 9000, 1 + n % 7000, 'Ann', 'Olena ' || n,
      1 + n % 5000, case when n % 10 = 0 then n / 100 end, '{}' from generate_series(1, 30000) n`,
  `insert into sessions (token_hash, user_id) select decode(md5(n::text), 'hex'), 2 + n % 9000 from generate_series(1, 15000) n`,
  `insert into failed_sign_ins (email_hash, network, failures, pending, changed_at)
    select decode(md5(n::text), 'hex'), '::1', 1, 0, now() from generate_series(1, 15000) n`,
  `insert into operations (kind, state) select 'source_import', 'done' from generate_series(1, 500)`,
  `insert into sources (platform, url, country, import_id, created_at, deleted_at)
    select case when n % 1000 = 0 then 'VK' else 'WEB' end, 'https://example.com/page' || n,
      case when n % 900 = 0 then 'UA' when n % 800 <> 0 then 'PL' end, 1 + n / 40,
      timestamptz '2020-01-01T00:00:00Z' + n * interval '10 minutes', null from generate_series(1, 20000) n`,
  `insert into sources (platform, url, deleted_at)
    select 'WEB', 'https://example.com/gone' || n, now() - n * interval '1 second' from generate_series(1, 2000) n`,
  `insert into operation_changes (operation_id, entity, record_id, before, after)
    select 1 + n % 500, 'sources', 1 + n % 5000, '{}', '{"content_version": 2}' from generate_series(1, 20000) n on conflict do nothing`,
  `insert into sheets (title, header, row_count, rows_id, outcomes)
    select 'Sheet', '{a}', 3000, n, '{"requested": 1000}' from generate_series(1, 20) n`,
  `insert into set_rows (set_id, number, cells, outcome)
    select rows_id, n, array['x'], case when n % 3 = 0 then 'requested' end from sheets, generate_series(1, 3000) n`,
  `insert into sheets (title, header, row_count, rows_id, deleted_at) select 'Sheet of ' || n, '{a}', 0, 100 + n,
    case when n % 50 = 0 then now() end from generate_series(1, 10000) n`,
  `insert into operations (kind, state, name, created_sheet_url)
    select 'export', 'done', 'Sheet of ' || n, '/sheets/' || n from generate_series(1, 10000) n`,
  `insert into powerbi_dashboards (name, embed_link) select 'Reach ' || n, 'https://bi.example.com/' from generate_series(1, 300) n`,
  `insert into workspace_dashboards (workspace_id, dashboard_id, position)
    select 1 + (n * 17 + place) % 5000, n, place from generate_series(1, 300) n, generate_series(1, 60) place`,
  `insert into narratives (id) select n from generate_series(1, 200) n`,
  `insert into stories (narrative_id, message_composite_id, story, digest)
    select 1 + n % 200, n, 'Story ' || n, md5(n::text)::uuid from generate_series(1, 20000) n`,
  `insert into vectorization_runs (execution_date, narrative_id, platforms, content_types, model, status, runner)
    select timestamptz '2020-01-01T00:00:00Z' + n * interval '1 second', 1, '{}', '{}', 'm', 'success', 'server'
    from generate_series(1, 60000) n`,
]
const LARGE = [
  'users',
  'workspaces',
  'workspace_dashboards',
  'audit_events',
  'sessions',
  'failed_sign_ins',
  'sources',
  'operation_changes',
  'set_rows',
  'sheets',
  'operations',
  'stories',
  'vectorization_runs',
]

type Statement = { text: string; values: unknown[] }
type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }

beforeAll(async () => {
  const { pool } = watchdesk.database
  for (const statement of SEED) await pool.query(statement)
  await pool.query('vacuum analyze')
}, 120_000)

/** The statements that the server sends while it does the work. */
async function sentBy(work: () => Promise<unknown>) {
  const sent = new Map<string, Statement>()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    for (const [first, second] of query.mock.calls as unknown[][]) {
      const { text, values } = typeof first === 'string' ? { text: first, values: second } : Object(first)
      if (Array.isArray(values) && /^\W*(unnamed \*\/ )?(select|with|insert|update|delete)/i.test(text))
        sent.set(text, { text, values })
    }
  } finally {
    query.mockRestore()
  }
  return [...sent.values()]
}

const planner = { connection: undefined as Promise<pg.Client> | undefined }
afterAll(async () => (await planner.connection)?.end())

async function connectPlanner() {
  const { host, port, user, password, database } = watchdesk.database.pool.options
  const client = new pg.Client({ host, port, user, password, database })
  await client.connect()
  return client
}

/** The large tables that a statement reads from start to end, planned with its values and without them. */
async function fullScans({ text, values }: Statement) {
  planner.connection ??= connectPlanner()
  const client = await planner.connection
  const scanned = new Set<string>()
  await client.query(`prepare explained as ${text}`)
  try {
    for (const mode of text.startsWith('/* unnamed */')
      ? ['force_custom_plan']
      : ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      const literals = values.length > 0 ? `(${values.map((value) => literal(value)).join(', ')})` : ''
      const { rows } = await client.query(`explain (format json) execute explained${literals}`)
      for (const table of scansIn(rows[0]['QUERY PLAN'][0].Plan)) scanned.add(`${mode}: ${table}`)
    }
  } finally {
    await client.query('deallocate explained')
  }
  return [...scanned]
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (Array.isArray(value)) return `'{${value.map((each) => each ?? 'null').join(',')}}'`
  return pg.escapeLiteral(String(value))
}

function scansIn(plan: Plan): string[] {
  const table = plan['Relation Name'] ?? ''
  const own = plan['Node Type'] === 'Seq Scan' && LARGE.includes(table) ? [table] : []
  return [...own, ...(plan.Plans ?? []).flatMap(scansIn)]
}

async function expectIndexes(work: () => Promise<unknown>, isAllowed = (_scan: string) => false) {
  const statements = await sentBy(work)
  expect(statements.length).toBeGreaterThan(0)
  for (const statement of statements)
    expect({ ...statement, scans: (await fullScans(statement)).filter((scan) => !isAllowed(scan)) }).toEqual({
      ...statement,
      scans: [],
    })
}

/** Every sort in both directions, on the first page and one in the middle. */
function pagesOf(path: string, { sorts = [] }: ListOptions, more: string[]) {
  const orders = sorts.flatMap((sort) => [`sort=${sort}`, `sort=-${sort}`])
  const pages = ['', ...orders].flatMap((order) => [order, `${order}&page=120`])
  return [...pages, ...more].map((query) => `/api/v1/${path}/?${query}`)
}

const LISTS = [
  ...pagesOf('users', userList, [
    'search=user77@',
    'search=kovalenko%20777&sort=-email',
    'workspace_ids=7',
    'workspace_ids=7,8&sort=full_name',
    'role=admin',
    'role=super_admin&sort=email',
    'signed_in_from=2026-01-01&signed_in_to=2026-01-02',
    'locked=yes',
    'include=last_sign_in_at',
  ]),
  ...pagesOf('workspaces', workspaceList, [
    'search=space%20777',
    'search=space%20777&sort=-name',
    'include=users_count,last_activity_at',
  ]),
  // What a file of all rows reads from start to end is one statement; here it finds few rows.
  '/api/v1/users/file?format=csv&search=user77@&sort=email&columns=id,workspace,roles,last_sign_in_at',
  `/api/v1/workspaces/file?format=csv&search=space%20777&columns=${columnsOf(workspaceList)}`,
  '/api/v1/saved_views/?list=users',
  ...[
    '',
    'before=1794822000123456-1024',
    'entity=user&entity_id=77',
    'entity=user&entity_id=77&changes_only=true',
    'entity=sheet',
    'action=delete',
    'actor_id=77',
    'workspace_id=77',
    'parent_id=77',
    'search=koval',
    'from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z',
  ].map((query) => `/api/v1/audit/?${query}`),
  '/api/v1/audit/new?after=1794822000123456-1024',
  ...pagesOf('bin', binList, [
    'kind=user',
    'kind=workspace',
    'search=kovalenko%20777',
    'search=space%20777&kind=workspace',
    'search=sheet%20of%207750&kind=sheet',
  ]),
  ...pagesOf('sheets', sheetList, ['search=sheet%20of%20777', 'search=of%20777&sort=-title&origin=source_import']),
  ...['', 'search=space%20777', 'sort=-name&page=2'].map((query) => `/api/v1/powerbi_dashboards/7/workspaces?${query}`),
  '/api/v1/bin/?kind=source&page=12',
  '/api/v1/bin/?kind=source&search=gone777',
  ...pagesOf('sources', sourceList, [
    'search=page777',
    'search=https://www.example.com/page777&sort=url',
    'platform=VK',
    'platform=VK&sort=-url',
    'country=UA',
    'country=none&platform=VK',
    'import_id=77',
    'import_id=77&country=UA&sort=country',
    'added_from=2020-01-01&added_to=2020-01-02',
    'added_from=2020-01-01&added_to=2020-01-02&platform=VK&search=page777',
  ]),
  ...pagesOf('airflow/vectorize-narrative', runList, []),
]

test.each(LISTS)('%s reads no large table from start to end', async (url) => {
  await expectIndexes(async () => expect((await watchdesk.admin('GET', url)).status).toBe(200))
})

test.each([
  'users/5000',
  'users/me',
  'audit/77',
  'workspaces/500',
  'powerbi_dashboards/',
  'powerbi_dashboards/7',
  'sheets/1',
  'sources/5000',
  'sources/5000/imports',
  'sheets/1/rows?offset=900',
  'sheets/1/rows?outcome=requested&offset=900',
  'airflow/vectorize-narrative/2020-01-01T00:01:00.000Z',
  'stories-import/story-counts?narrative_ids=7,8',
])('neither does a read of %s', async (path) => {
  await expectIndexes(async () => expect((await watchdesk.admin('GET', `/api/v1/${path}`)).status).toBe(200))
})

test('nor a comparison of a record with how it was', async () => {
  const { rows } = await watchdesk.database.pool.query(
    `select max(id) as id from audit_events where entity = 'user' and record_name = 'Olena 8100'`,
  )
  const url = `/api/v1/audit/${rows[0].id}/record?side=before`
  await expectIndexes(async () => expect((await watchdesk.admin('GET', url)).status).toBe(200))
})

test('nor a sign-in, a create, an edit, a delete and a restore', async () => {
  await expectIndexes(() => watchdesk.signIn(ADMIN.email, ADMIN.password))
  const user = { first_name: 'New', last_name: 'User', email: 'new@example.com', password: PASSWORD, workspace_id: 7 }
  let id = 0
  await expectIndexes(async () => {
    id = (await watchdesk.createUser(user)).id
  })
  const calls = [
    ['PATCH', '', { last_name: 'Edited' }],
    ['DELETE', ''],
    ['POST', '/restore'],
  ] as const
  for (const [method, path, body] of calls) {
    await expectIndexes(async () =>
      expect((await watchdesk.admin(method, `/api/v1/users/${id}${path}`, body)).status).toBeLessThan(300),
    )
  }
})

test('the overview reads all workspaces, of which there are few, and no other large table', async () => {
  await expectIndexes(
    async () => expect((await watchdesk.admin('GET', '/api/v1/overview/')).status).toBe(200),
    (scan) => scan.endsWith(': workspaces'),
  )
})

test('nor an attachment of a dashboard to workspaces, and a detachment', async () => {
  for (const body of [{ attach: [{ id: 4000 }, { id: 4001 }] }, { detach: [4000, 4001] }]) {
    const url = '/api/v1/powerbi_dashboards/7/workspaces'
    await expectIndexes(async () => expect((await watchdesk.admin('POST', url, body)).status).toBe(200))
  }
})

test('nor an edit, a delete and a restore of a source, and a lookup', async () => {
  const calls = [
    ['PATCH', '/5000', { country: 'UA' }],
    ['DELETE', '/5000'],
    ['POST', '/5000/restore'],
    ['POST', '/find', { addresses: ['t.me/example', 'https://example.com/page77', 'vk.com/page1000'] }],
  ] as const
  for (const [method, path, body] of calls) {
    await expectIndexes(async () =>
      expect((await watchdesk.admin(method, `/api/v1/sources${path}`, body)).status).toBeLessThan(300),
    )
  }
})

test('a missing index is noticed', async () => {
  const { pool } = watchdesk.database
  await pool.query('drop index users_sorted_by_full_name')
  const statements = await sentBy(() => watchdesk.admin('GET', '/api/v1/users/?sort=full_name'))
  const scans: string[] = []
  for (const statement of statements) scans.push(...(await fullScans(statement)))
  expect(scans).toContain('force_generic_plan: users')
})

/** Also counts what the connection did shortly before, until it has reported it. */
async function hotUpdates(client: pg.PoolClient) {
  const { rows } = await client.query(`select
    sum(n_tup_hot_upd) filter (where relname = 'users')::int as users,
    sum(n_tup_hot_upd) filter (where relname = 'workspaces')::int as workspaces from pg_stat_xact_user_tables`)
  return rows[0] as { users: number; workspaces: number }
}

test('an edit that changes no name updates no index', async () => {
  const { pool } = watchdesk.database
  const client = await pool.connect()
  try {
    await client.query('begin')
    const before = await hotUpdates(client)
    await client.query(`update users set language = 'UK', version = version + 1, updated_at = now(), updated_by = 1
      where id = 5000`)
    await client.query(`update workspaces set config = config || '{"tags": ["a"]}', version = version + 1,
      updated_at = now(), updated_by = 1 where id = 500`)
    // HOT means that the new version of the row is on the same page, and that all indexes still lead to it.
    const after = await hotUpdates(client)
    expect(after).toEqual({ users: before.users + 1, workspaces: before.workspaces + 1 })
  } finally {
    await client.query('rollback')
    client.release()
  }
})
