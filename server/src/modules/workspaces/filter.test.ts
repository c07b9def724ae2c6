import type { Page } from '@watchdesk/contract/page'
import type { ListedWorkspace, Workspace, WorkspaceBody } from '@watchdesk/contract/workspaces'
import { beforeAll, describe, expect, test } from 'vitest'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const STATUSES = ['TRIAL', 'PAID_CLIENT', 'DEACTIVATED', null] as const
const DAY_MS = 86_400_000
const today = new Date().toISOString().slice(0, 10)

function inDays(days: number) {
  return new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10)
}

function quota(limit: number, balance: number, renewal: number) {
  return { limit, balance, renewal_date: `${inDays(renewal)}T00:00:00` }
}

/** Many combinations of what can be filtered by. */
const BODIES: Partial<WorkspaceBody>[] = Array.from({ length: 48 }, (_, n) => ({
  name: n % 5 === 0 ? `Atlas ${n}` : `Bureau ${n}`,
  status: STATUSES[n % STATUSES.length] ?? null,
  trial_end_date: n % 4 === 0 || n % 3 === 0 ? `${inDays([-1, 0, 7, 8, 30, 31][n % 6] ?? 0)}T00:00:00` : null,
  analytical_quota: quota([0, 100, 1000][n % 3] ?? 0, [0, 10, 9, 100][n % 4] ?? 0, [-1, 0, 1][n % 3] ?? 0),
  ai_quota: quota([100, 0][n % 2] ?? 0, [0, 24, 25, 50, 100][n % 5] ?? 0, n % 7 === 0 ? -3 : 5),
  roles: n % 2 === 0 ? ['AI'] : [],
  featureflags: n % 3 === 0 ? [] : ['NARRATIVES'],
}))

let all: Workspace[]
let hasAdmin: Set<number>

beforeAll(async () => {
  for (const body of BODIES) {
    const { roles, featureflags, ...fields } = body
    const { id } = await watchdesk.createWorkspace(fields)
    const settings = JSON.stringify({ roles, featureflags })
    await watchdesk.database.pool.query('update workspaces set config = config || $2 where id = $1', [id, settings])
  }
  all = (await list('page_size=100')).objects
  for (const [index, { id }] of all.entries()) {
    if (index % 3 === 1) await watchdesk.createUser({ workspace_id: id, is_admin: index % 2 === 0 })
  }
  const { rows } = await watchdesk.database.pool.query<{ workspace_id: number }>(
    'select workspace_id from users where is_admin or is_super_admin',
  )
  hasAdmin = new Set(rows.map((row) => row.workspace_id))
}, 60_000)

async function list(query: string) {
  const { status, body } = await watchdesk.admin<Page<ListedWorkspace>>('GET', `/api/v1/workspaces/?${query}`)
  expect({ query, status }).toEqual({ query, status: 200 })
  return body
}

const isTrialBetween = (from: string, to: string) => (each: Workspace) =>
  each.status === 'TRIAL' && day(each.trial_end_date) >= from && day(each.trial_end_date) <= to
const day = (date: string | null) => (date ?? '').slice(0, 10)
const isUnder = (name: 'analytical_quota' | 'ai_quota', percent: number) => (each: Workspace) => {
  const { limit, balance } = each[name]
  return limit > 0 && (balance === 0 || balance * 100 < limit * percent)
}

const FILTERS: [query: string, matches: (each: Workspace) => boolean][] = [
  ['search=atlas', (each) => each.name.startsWith('Atlas')],
  ['search=trial', (each) => each.status === 'TRIAL'],
  ['search=paid%20client', (each) => each.status === 'PAID_CLIENT'],
  ['status=TRIAL', (each) => each.status === 'TRIAL'],
  ['status=TRIAL,NONE', (each) => each.status === 'TRIAL' || each.status === null],
  ['status=TRIAL&status=NONE', (each) => each.status === 'TRIAL' || each.status === null],
  ['status=IN_USE', (each) => each.status !== 'DEACTIVATED'],
  ['status=IN_USE,DEACTIVATED', () => true],
  ['trial=ended', isTrialBetween('0001-01-01', inDays(-1))],
  ['trial=within_7', isTrialBetween(today, inDays(7))],
  ['trial=within_30', isTrialBetween(today, inDays(30))],
  [`trial_from=${inDays(7)}`, isTrialBetween(inDays(7), '9999-12-31')],
  [`trial_from=${inDays(0)}&trial_to=${inDays(8)}`, isTrialBetween(today, inDays(8))],
  ['analytical_under=0', isUnder('analytical_quota', 0)],
  ['analytical_under=10', isUnder('analytical_quota', 10)],
  ['ai_under=0', isUnder('ai_quota', 0)],
  ['ai_under=25', isUnder('ai_quota', 25)],
  ['ai_under=100', isUnder('ai_quota', 100)],
  ['renewal=overdue', (each) => [each.analytical_quota, each.ai_quota].some((one) => day(one.renewal_date) < today)],
  ['role=AI', (each) => each.config.roles.includes('AI')],
  ['role=unknown', () => false],
  ['featureflag=NARRATIVES', (each) => each.config.featureflags.includes('NARRATIVES')],
  ['admin=none', (each) => !hasAdmin.has(each.id)],
]
const PAIRS = FILTERS.flatMap((first, index) => FILTERS.slice(index + 1).map((second) => [first, second] as const))

test.each(FILTERS)('%s finds what it says', async (query, matches) => {
  const { objects, total } = await list(`${query}&page_size=100`)
  const expected = all.filter(matches).map(({ id }) => id)
  expect(objects.map(({ id }) => id)).toEqual(expected)
  expect(total).toBe(expected.length)
})

test('every two filters together find what both find', async () => {
  for (const [[one, isOne], [other, isOther]] of PAIRS) {
    const names = [one, other].map((query) => query.split('=')[0])
    if (names[0] === names[1] || names.every((name) => name?.startsWith('trial_'))) continue
    const { objects } = await list(`${one}&${other}&page_size=100`)
    const expected = all.filter((each) => isOne(each) && isOther(each)).map(({ id }) => id)
    expect({ query: `${one}&${other}`, ids: objects.map(({ id }) => id) }).toEqual({
      query: `${one}&${other}`,
      ids: expected,
    })
  }
})

const share = (key: 'analytical_quota' | 'ai_quota') => (workspace: Workspace) => {
  const { balance, limit } = workspace[key]
  return limit > 0 ? balance / limit : balance > 0 ? 1 : Number.POSITIVE_INFINITY
}

test.each([
  [
    'trial_end_date',
    ({ status, trial_end_date }: Workspace) => (status === 'TRIAL' ? Date.parse(String(trial_end_date)) : 1e15),
  ],
  ['analytical_quota', share('analytical_quota')],
  ['ai_quota', share('ai_quota')],
])('the list can be sorted by %s, with workspaces that have none at the end', async (sort, keyOf) => {
  const up = (await list(`sort=${sort}&page_size=100`)).objects
  expect(up.map(({ id }) => id)).toEqual(
    [...all].sort((a, b) => keyOf(a) - keyOf(b) || a.id - b.id).map(({ id }) => id),
  )
  const down = (await list(`sort=-${sort}&page_size=100`)).objects
  expect(down).toEqual([...up].reverse())
})

test('a filtered list can be sorted', async () => {
  const names = (await list('status=TRIAL&sort=-name&page_size=100')).objects.map(({ name }) => name.toLowerCase())
  expect(names.length).toBeGreaterThan(5)
  expect(names).toEqual([...names].sort().reverse())
})

test.each(['status=LOST', 'trial=soon', 'ai_under=101', 'ai_under=-1', 'trial_from=tomorrow', 'include=all'])(
  '%s is refused',
  async (query) => {
    expect((await watchdesk.admin('GET', `/api/v1/workspaces/?${query}`)).status).toBe(422)
  },
)

describe('computed fields', () => {
  test('are left out unless they are asked for', async () => {
    const [first] = (await list('')).objects
    expect(first).not.toHaveProperty('users_count')
    expect(first).not.toHaveProperty('last_activity_at')
  })

  test('the number of users and the last activity', async () => {
    const workspace = await watchdesk.createWorkspace({ name: 'Counted' })
    const user = await watchdesk.createUser({ workspace_id: workspace.id })
    const { email } = await watchdesk.createUser({ workspace_id: workspace.id, is_admin: true })
    await watchdesk.admin('DELETE', `/api/v1/users/${user.id}`)
    const before = Date.now()
    await watchdesk.signIn(email)
    const [found] = (await list('search=counted&include=users_count,last_activity_at')).objects
    expect(found).toMatchObject({ id: workspace.id, users_count: 1 })
    expect(Date.parse(found?.last_activity_at ?? '')).toBeGreaterThanOrEqual(before - 1000)
    expect(Object.keys((await list('search=counted&include=users_count')).objects[0] ?? {})).not.toContain(
      'last_activity_at',
    )
  })

  test('what others do to a workspace is not its activity', async () => {
    const { id } = await watchdesk.createWorkspace({ name: 'Quiet' })
    await watchdesk.createUser({ workspace_id: id, is_admin: true })
    const [found] = (await list('search=quiet&include=last_activity_at')).objects
    expect(found).toMatchObject({ last_activity_at: null })
  })
})

test('a workspace admin finds only their own workspace, with any filter', async () => {
  const { id } = await watchdesk.createWorkspace({ status: 'PAID_CLIENT' })
  const { call: workspaceAdmin } = await watchdesk.createPerson({ workspace_id: id, is_admin: true })
  for (const query of ['status=IN_USE', 'status=PAID_CLIENT', 'search=paid']) {
    const { body } = await workspaceAdmin<Page<Workspace>>('GET', `/api/v1/workspaces/?${query}`)
    expect(body.objects.map((each) => each.id)).toEqual([id])
  }
})
