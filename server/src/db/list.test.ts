import type { Page } from '@watchdesk/contract/page'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type Caller, useWatchdesk } from '../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const WORKSPACES = [1, 2, 3]
let workspaceAdmin: Caller

beforeAll(async () => {
  await watchdesk.createWorkspace()
  await watchdesk.createWorkspace()
  const { email } = await watchdesk.createUser({ workspace_id: 2, is_admin: true, email: 'zzz@example.test' })
  workspaceAdmin = await watchdesk.signIn(email)
})

/** Texts of one length, of letters alone: every collation that a server may have puts them into the same order. */
const word = (length: number) =>
  fc
    .array(fc.constantFrom('a', 'b', 'A', 'B', 'c'), { minLength: length, maxLength: length })
    .map((letters) => letters.join(''))

const person = fc.record({
  first_name: word(1),
  last_name: word(1),
  local: word(4),
  workspace_id: fc.constantFrom(...WORKSPACES),
  deleted: fc.boolean(),
})
const people = fc.uniqueArray(person, { maxLength: 40, selector: ({ local }) => local.toLowerCase() })

/** Without a filter, pages are found in another way than with one. */
function anyPage<Sort extends string>(...sorts: Sort[]) {
  return {
    page: fc.integer({ min: 1, max: 12 }),
    page_size: fc.integer({ min: 1, max: 9 }),
    sort: fc.constantFrom(...sorts, ...sorts.map((sort) => `-${sort}`)),
  }
}
const userPage = anyPage('id', 'email', 'full_name')
const filteredUsers = fc.record(
  {
    ...userPage,
    search: fc.constantFrom('', 'a', 'B', 'ab', 'a b', 'BC@', 'example', '%', '_', 'zz', 'a\nb'),
    workspace_ids: fc.subarray(WORKSPACES, { minLength: 1 }),
  },
  { requiredKeys: [] },
)
const userQuery: fc.Arbitrary<Query> = fc.oneof(fc.record(userPage), filteredUsers)

type Query = { page?: number; page_size?: number; sort?: string; search?: string; workspace_ids?: number[] }
type Row = { id: number; workspace_id: number; first_name: string; last_name: string; email: string }

function address(table: string, query: Query) {
  const parts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return `/api/v1/${table}/?${new URLSearchParams(parts)}`
}

/** The expected page, computed from all rows. */
function pageOf<Item extends { id: number }>(
  rows: Item[],
  query: Query,
  keys: Record<string, (row: Item) => string | number | null>,
) {
  const { page = 1, page_size = 20, sort = 'id' } = query
  const key = keys[sort.replace('-', '')] ?? (({ id }) => id)
  const sorted = [...rows].sort((a, b) => compare(key(a), key(b)) || a.id - b.id)
  if (sort.startsWith('-')) sorted.reverse()
  const objects = sorted.slice((page - 1) * page_size, page * page_size).map(({ id }) => id)
  return { objects, total: rows.length, size: page_size }
}

/** What has no value comes last on the way up. */
function compare(a: string | number | null, b: string | number | null) {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -1 : 1
}

async function ask(call: Caller, url: string) {
  const { status, body } = await call<Page<{ id: number }>>('GET', url)
  expect(status).toBe(200)
  return { ...body, objects: body.objects.map(({ id }) => id) }
}

test('any page of users, however filtered and sorted, is the one that a naive count over all rows gives', async () => {
  const { pool } = watchdesk.database
  const property = fc.asyncProperty(
    people,
    fc.array(userQuery, { minLength: 12, maxLength: 12 }),
    async (rows, queries) => {
      await pool.query(`delete from users where email not like 'admin@%' and email not like 'zzz@%'`)
      await pool.query(
        `insert into users (first_name, last_name, email, workspace_id, deleted_at, password_hash, is_admin, is_super_admin, type, language)
       select first_name, last_name, local || '@example.test', workspace_id, case when deleted then now() end, '-', false, false, 'STANDARD', ''
       from json_to_recordset($1) as rows(first_name text, last_name text, local text, workspace_id int, deleted boolean)`,
        [JSON.stringify(rows)],
      )
      const all = (await pool.query<Row>('select * from users where deleted_at is null')).rows
      for (const query of queries) {
        const search = (query.search ?? '').toLowerCase()
        const wanted = all
          .filter(({ workspace_id }) => query.workspace_ids?.includes(workspace_id) ?? true)
          .filter((row) => `${row.first_name} ${row.last_name}\n${row.email}`.toLowerCase().includes(search))
        const keys = {
          email: ({ email }: Row) => email.toLowerCase(),
          full_name: (row: Row) => `${row.first_name} ${row.last_name}`.toLowerCase(),
        }
        const url = address('users', query)
        expect(await ask(watchdesk.admin, url)).toEqual(pageOf(wanted, query, keys))
        const own = wanted.filter(({ workspace_id }) => workspace_id === 2)
        expect(await ask(workspaceAdmin, url)).toEqual(pageOf(own, query, keys))
      }
    },
  )
  await fc.assert(property, { numRuns: 20 })
})

test('and so is any page of workspaces, those without a status included', async () => {
  const { pool } = watchdesk.database
  const workspace = fc.record({
    name: word(3),
    status: fc.constantFrom(null, 'INTERNAL', 'FREE_ACCESS', 'PAID_CLIENT', 'PAID_CLIENT_UCBI', 'PAID_CLIENT_I3'),
    deleted: fc.boolean(),
  })
  const workspacePage = anyPage('id', 'name', 'status')
  const workspaceQuery: fc.Arbitrary<Query> = fc.oneof(
    fc.record(workspacePage),
    fc.record(
      { ...workspacePage, search: fc.constantFrom('a', 'BC', 'about', '_', 'free', 'paid client') },
      { requiredKeys: [] },
    ),
  )
  const property = fc.asyncProperty(
    fc.array(workspace, { maxLength: 40 }),
    fc.array(workspaceQuery, { minLength: 12, maxLength: 12 }),
    async (rows, queries) => {
      await pool.query('delete from workspaces where id > 3')
      await pool.query(
        `insert into workspaces (name, status, deleted_at, description, analytical_quota, ai_quota, config)
         select rows.name, rows.status, case when deleted then now() end, 'About', analytical_quota, ai_quota, config
         from workspaces, json_to_recordset($1) as rows(name text, status text, deleted boolean) where id = 2`,
        [JSON.stringify(rows)],
      )
      type Row = { id: number; name: string; description: string; status: string | null }
      const all = (await pool.query<Row>('select * from workspaces where deleted_at is null')).rows
      for (const query of queries) {
        const search = (query.search ?? '').toLowerCase()
        const wanted = all.filter(({ name, description, status }) =>
          [name, description, status ?? '', (status ?? '').replaceAll('_', ' ')].some((text) =>
            text.toLowerCase().includes(search),
          ),
        )
        const keys = { name: ({ name }: Row) => name.toLowerCase(), status: ({ status }: Row) => status }
        expect(await ask(watchdesk.admin, address('workspaces', query))).toEqual(pageOf(wanted, query, keys))
      }
    },
  )
  await fc.assert(property, { numRuns: 20 })
})

test.each([10_000, 10_001, 10_030])('%i rows that match a filter are listed with their exact total', async (total) => {
  const { id } = await watchdesk.createWorkspace()
  const { rows } = await watchdesk.database.pool.query<{ newest: number }>(
    `with added as (insert into users
        (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
      select $1, 'A', 'B', n || '@of-' || $2 || '.com', '-', false, false, 'STANDARD', '' from generate_series(1, $2::int) n
      returning id) select max(id)::int as newest from added`,
    [id, total],
  )
  const newest = rows[0]?.newest ?? 0
  const page = (number: number) => ask(watchdesk.admin, `/api/v1/users/?workspace_ids=${id}&sort=-id&page=${number}`)
  const last = Math.ceil(total / 20)
  expect(await page(1)).toMatchObject({ objects: { 0: newest, 19: newest - 19 }, total })
  expect((await page(250)).objects[0]).toBe(newest - 249 * 20)
  const { objects } = await page(last)
  expect(objects).toHaveLength(total - (last - 1) * 20)
  expect(objects.at(-1)).toBe(newest - total + 1)
  expect(await page(last + 1)).toEqual({ objects: [], total, size: 20 })
})
