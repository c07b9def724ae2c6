import type { Page } from '@watchdesk/contract/page'
import type { ListedUser } from '@watchdesk/contract/users'
import { beforeAll, expect, test } from 'vitest'
import { PASSWORD, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const TYPES = ['UNDERPRIVILEGED', 'STANDARD', 'MODERATOR'] as const
const LANGUAGES = ['EN', 'UK', ''] as const
const SIGN_INS = [null, '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-02-28T12:00:00.000Z']

type Row = {
  id: number
  workspace_id: number
  is_admin: boolean
  is_super_admin: boolean
  type: string
  language: string
}

let all: (Row & { at: Date | null })[]
let workspaces: number[]

beforeAll(async () => {
  const { pool } = watchdesk.database
  workspaces = []
  for (let n = 0; n < 3; n += 1) workspaces.push((await watchdesk.createWorkspace()).id)
  for (let n = 0; n < 72; n += 1) {
    const values = [
      workspaces[n % 3],
      `f${n}@example.com`,
      n % 4 === 0,
      n % 9 === 0,
      TYPES[n % 3],
      LANGUAGES[n % 5] ?? '',
    ]
    const { rows } = await pool.query<{ id: number }>(
      `insert into users (workspace_id, first_name, last_name, email, password_hash, is_admin, is_super_admin, type, language)
        values ($1, 'Filtered', 'User', $2, '-', $3, $4, $5, $6) returning id`,
      values,
    )
    const at = SIGN_INS[n % SIGN_INS.length]
    if (at) await pool.query('insert into sign_ins (user_id, at) values ($1, $2)', [rows[0]?.id, at])
  }
  all = (
    await pool.query(`select users.id, workspace_id, is_admin, is_super_admin, type, language, at from users
      left join sign_ins on user_id = users.id where email like 'f%@example.com' order by users.id`)
  ).rows
})

async function found(query: string, call = watchdesk.admin) {
  const { status, body } = await call<Page<ListedUser>>('GET', `/api/v1/users/?search=filtered&page_size=100&${query}`)
  expect({ query, status }).toEqual({ query, status: 200 })
  return body.objects
}

const FILTERS: [query: string, matches: (row: Row & { at: Date | null }) => boolean][] = [
  ['role=super_admin', (row) => row.is_super_admin],
  ['role=admin', (row) => row.is_admin],
  ['role=none', (row) => !row.is_admin && !row.is_super_admin],
  ['type=MODERATOR', (row) => row.type === 'MODERATOR'],
  ['language=EN', (row) => row.language === 'EN'],
  ['language=auto', (row) => row.language === ''],
  ['sign_in=never', (row) => row.at === null],
  ['signed_in_from=2026-02-01', (row) => row.at !== null && row.at >= new Date('2026-02-01T00:00:00Z')],
  ['signed_in_to=2026-01-31', (row) => row.at !== null && row.at < new Date('2026-02-01T00:00:00Z')],
  ['signed_in_from=2026-02-02&signed_in_to=2026-02-28', (row) => row.at?.toISOString() === SIGN_INS[3]],
]

test.each(FILTERS)('%s finds what it says, also in one workspace', async (query, matches) => {
  const expected = all.filter(matches)
  expect(expected.length).toBeGreaterThan(0)
  expect((await found(query)).map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  const [first, , third] = workspaces
  const within = expected.filter((row) => row.workspace_id === first || row.workspace_id === third)
  const some = await found(`${query}&workspace_ids=${first},${third}`)
  expect(some.map(({ id }) => id)).toEqual(within.map(({ id }) => id))
})

test('each user has the time of the last sign-in', async () => {
  const rows = await found('include=last_sign_in_at')
  expect(rows.map(({ last_sign_in_at }) => last_sign_in_at)).toEqual(all.map(({ at }) => at?.toISOString() ?? null))
})

test('a sign-in is the last one, and a failed one is none', async () => {
  const { email, id } = await watchdesk.createUser({ workspace_id: workspaces[0] ?? 0, is_admin: true })
  const lastSignIn = async () => {
    const { body } = await watchdesk.admin<Page<ListedUser>>(
      'GET',
      `/api/v1/users/?search=${email}&include=last_sign_in_at`,
    )
    return body.objects.find((user) => user.id === id)?.last_sign_in_at
  }
  await watchdesk.anonymous('POST', '/api/v1/login', { email, password: 'not this one' })
  expect(await lastSignIn()).toBeNull()
  await watchdesk.signIn(email)
  const first = await lastSignIn()
  expect(Date.parse(first ?? '')).toBeGreaterThan(Date.now() - 60_000)
  await watchdesk.signIn(email)
  expect(Date.parse((await lastSignIn()) ?? '')).toBeGreaterThan(Date.parse(first ?? ''))
})

test('locked users are found until they are unlocked', async () => {
  const { email, id } = await watchdesk.createUser({ workspace_id: workspaces[0] ?? 0, is_admin: true })
  const locked = async () => {
    const { body } = await watchdesk.admin<Page<ListedUser>>('GET', '/api/v1/users/?locked=yes')
    return body.objects.map((user) => user.id)
  }
  for (let n = 0; n < 9; n += 1) await watchdesk.anonymous('POST', '/api/v1/login', { email, password: 'wrong' })
  expect(await locked()).toEqual([])
  await watchdesk.anonymous('POST', '/api/v1/login', { email, password: 'wrong' })
  expect(await locked()).toEqual([id])
  expect((await watchdesk.admin('GET', `/api/v1/users/${id}`)).body).toHaveProperty('locked_until')
  await watchdesk.admin('POST', `/api/v1/users/${id}/unlock`)
  expect(await locked()).toEqual([])
})

test('a user whose email was changed is no longer locked', async () => {
  const { email, id } = await watchdesk.createUser({ workspace_id: workspaces[0] ?? 0, is_admin: true })
  for (let n = 0; n < 10; n += 1) await watchdesk.anonymous('POST', '/api/v1/login', { email, password: 'wrong' })
  const locked = () => watchdesk.admin<Page<ListedUser>>('GET', '/api/v1/users/?locked=yes')
  expect((await locked()).body.total).toBe(1)
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { email: `new-${email}` })
  expect((await locked()).body.total).toBe(0)
})

test('a workspace admin finds only users of their workspace, with any filter', async () => {
  const [first] = workspaces
  const { call: workspaceAdmin } = await watchdesk.createPerson({
    workspace_id: first ?? 0,
    is_admin: true,
    password: PASSWORD,
  })
  for (const [query, matches] of FILTERS) {
    const expected = all.filter((row) => row.workspace_id === first && matches(row)).map(({ id }) => id)
    expect((await found(`${query}&workspace_ids=${workspaces}`, workspaceAdmin)).map(({ id }) => id)).toEqual(expected)
  }
})
