import { listUsers } from '@watchdesk/contract/users'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { fingerprint } from '../helpers/fingerprint.ts'
import { isForSessions, isWrite, type Operation, readOperations } from '../helpers/operations.ts'
import { FIRST_ADMIN, insertUser, makeNobodies, openSession, openToken } from '../helpers/people.ts'
import { addressOf, type Place, placesOf, validCall } from '../helpers/requests.ts'
import { mailSettings } from '../helpers/smtp.ts'
import { ORIGIN } from '../helpers/soft-passkey.ts'
import { type Caller, useWatchdesk } from '../helpers/watchdesk.ts'

const operations = await readOperations()
const guarded = operations.filter((operation) => operation.access !== 'public' && isForSessions(operation))
const open = operations.filter(({ access }) => access === 'public')

const watchdesk = useWatchdesk({ ...mailSettings(), PUBLIC_URL: ORIGIN })
let home: number
let nobodies: Record<string, Caller>

beforeAll(async () => {
  home = (await watchdesk.createWorkspace({ name: 'Home' })).id
  nobodies = await makeNobodies(watchdesk, home)
})

describe.each(guarded)('$name', (operation) => {
  test('returns 401 without a valid session, and changes nothing', async () => {
    const places = placesOf(operation)
    const addresses = await Promise.all(places.map((place) => addressOf(watchdesk, operation, place, home)))
    const before = await stateOfData()
    const admitted = []
    for (const [name, call] of Object.entries(nobodies)) {
      for (const address of addresses) {
        const { status } = await call(operation.method, address, ...validCall(operation, home))
        if (status !== 401) admitted.push({ name, address, status })
      }
    }
    expect(admitted).toEqual([])
    expect(await stateOfData()).toBe(before)
  })

  test('allows or rejects a workspace admin according to its access', async () => {
    const { id } = await insertUser(watchdesk, { workspace_id: home, is_admin: true })
    expect(await statuses(operation, { id, workspace_id: home })).toEqual(wanted(operation, false))
  })

  test('allows or rejects a super admin according to its access', async () => {
    // Calls about the account may end the other sessions, which are needed below.
    const isOfAccount = operation.access === 'account'
    const caller = isOfAccount ? await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true }) : FIRST_ADMIN
    expect(await statuses(operation, caller)).toEqual(wanted(operation, true))
  })

  test('is denied to tokens and auditors according to what it does', async () => {
    const expected: Record<string, number> = {
      'a full token': wantedOf(operation, operation.access === 'account' || operation.needsRecentSignIn),
      'a read-only token': wantedOf(operation, operation.access === 'account' || isWrite(operation)),
      'an auditor': wantedOf(operation, operation.access !== 'account' && isWrite(operation)),
    }
    const found: Record<string, number> = {}
    for (const [name, { account, is_read_only }] of Object.entries(READERS)) {
      const { id, email } = await insertUser(watchdesk, { workspace_id: home, ...account })
      const address = await addressOf(watchdesk, operation, 'own', home, id)
      const call =
        is_read_only === undefined ? await openSession(watchdesk, id) : await openToken(watchdesk, id, { is_read_only })
      const isRefused = (expected[name] ?? 0) >= 400
      const before = isRefused && (await stateOfData())
      const [body, headers] = validCall(operation, home)
      const own = operation.path.endsWith('/source_import/sources') ? { ...Object(body), email } : body
      found[name] = (await call(operation.method, address, own, headers)).status
      if (isRefused) expect(await stateOfData()).toBe(before)
    }
    expect(found).toEqual(expected)
  })
})

/** Statuses where an allowed caller is rejected because of the target. */
const REFUSALS: Record<string, number> = {
  'DELETE /api/v1/workspaces/{id} own': 409,
  'POST /api/v1/workspaces/{id}/restore own': 404,
  'GET /api/v1/bin/workspaces/{id}/clashes own': 404,
}

/** Those who may do less than a super admin, although they see as much. */
const READERS: Record<string, { account: object; is_read_only?: boolean }> = {
  'a full token': { account: { is_super_admin: true }, is_read_only: false },
  'a read-only token': { account: { is_super_admin: true }, is_read_only: true },
  'an auditor': { account: { is_auditor: true } },
}

function wantedOf(operation: Operation, isDenied: boolean) {
  if (operation.access === 'signing_in') return 401
  return isDenied ? 403 : (REFUSALS[`${operation.name} own`] ?? operation.status)
}

function wanted(operation: Operation, isSuperAdmin: boolean) {
  const status = (place: Place) => {
    if (operation.access === 'signing_in') return 401
    if (operation.access === 'super_admin' && !isSuperAdmin) return 403
    const isOthers = place === 'foreign' && (!isSuperAdmin || operation.access === 'account')
    if (place === 'missing' || isOthers) return 404
    return REFUSALS[`${operation.name} ${place}`] ?? operation.status
  }
  return Object.fromEntries(placesOf(operation).map((place) => [place, status(place)]))
}

async function statuses(operation: Operation, { id, workspace_id }: { id: number; workspace_id: number }) {
  const found: Partial<Record<Place, number>> = {}
  const addresses = new Map<Place, string>()
  for (const place of placesOf(operation))
    addresses.set(place, await addressOf(watchdesk, operation, place, workspace_id, id))
  let before = await stateOfData()
  for (const [place, address] of addresses) {
    const call = await openSession(watchdesk, id)
    const { status } = await call(operation.method, address, ...validCall(operation, workspace_id))
    found[place] = status
    const after = await stateOfData()
    if (status >= 400 || !isWrite(operation)) expect(after).toBe(before)
    before = after
  }
  return found
}

/** Everything that a call could have changed. */
const CHANGEABLE = [
  'users',
  'workspaces',
  'powerbi_dashboards',
  'workspace_dashboards',
  'website_config',
  'sources',
  'sheets',
  'stories',
  'vectorization_runs',
  'saved_views',
  'list_columns',
  'authenticators',
  'passkeys',
  'passkey_challenges',
  'recovery_codes',
  'account_notices',
  'one_time_links',
  'sso_accounts',
  // Without when they were last used.
  '(select user_id, name, is_read_only, expires_at from api_tokens)',
]

function stateOfData() {
  return fingerprint(watchdesk, Object.fromEntries(CHANGEABLE.map((name) => [name, 'true'])))
}

test.each(open)('$name responds with or without a session', async (operation) => {
  for (const call of Object.values(nobodies)) {
    const address = await addressOf(watchdesk, operation, 'own', home)
    const { status } = await call(operation.method, address, ...validCall(operation))
    expect(status).toBe(NOT_SET_UP[operation.name] ?? operation.status)
  }
})

/** Public calls that need a setting. */
const NOT_SET_UP: Record<string, number> = { 'POST /api/v1/login/sso': 404 }

test('everybody may sign in; workspace admins reach users, events, the bin, their own workspace, their views and their session; the rest is for super admins', () => {
  const names = (access: string) => operations.filter((each) => each.access === access).map(({ name }) => name)
  expect(names('public')).toContain('POST /api/v1/login')
  expect(names('public').filter((name) => !/^\w+ \/api\/v1\/login(\/|$)/.test(name))).toEqual([])
  const forAdmins =
    /^(\w+ \/api\/v1\/(users|audit|saved_views)\/.*|(GET|POST) \/api\/v1\/bin\/(restore)?|GET \/api\/v1\/workspaces\/.*|POST \/api\/v1\/logout)$/
  expect(names('workspace_admin').filter((name) => !forAdmins.test(name))).toEqual([])
})

test('besides the API there are only the health checks, the metrics, the API reference, security.txt, single sign-on and the console', () => {
  const tree = watchdesk.app.printRoutes({ commonPrefix: false })
  const addresses = [...tree.matchAll(/^[├└]── (\S+)/gm)].map(([, address]) => address)
  const reference = ['/api/openapi.json', '/api/docs', '/api/docs/scalar.js', '/api/docs/start.js']
  const sso = ['/sso/start', '/sso/callback', '/sso/logout']
  const known = ['/health/live', '/health/ready', '/metrics', '/.well-known/security.txt', ...reference, ...sso, '*']
  expect(addresses.filter((address) => !address?.startsWith('/api/v1/') && !known.includes(address ?? ''))).toEqual([])
  expect(addresses.length).toBeGreaterThan(known.length)
})

test("a workspace admin's lists contain nothing of another workspace, whatever the query", async () => {
  const foreign = (await watchdesk.createWorkspace({ name: 'Foreign' })).id
  const stranger = await insertUser(watchdesk, { workspace_id: foreign })
  const { id } = await insertUser(watchdesk, { workspace_id: home, is_admin: true })
  const call = await openSession(watchdesk, id)
  type List = { objects: { id: number; workspace_id?: number }[]; total: number }

  const all = await call<List>('GET', '/api/v1/users/?page_size=100')
  expect(new Set(all.body.objects.map((user) => user.workspace_id))).toEqual(new Set([home]))
  const workspaces = await call<List>('GET', '/api/v1/workspaces/')
  expect(workspaces.body.objects.map((workspace) => workspace.id)).toEqual([home])
  const searches = [`users/?workspace_ids=${foreign}`, `users/?search=${stranger.email}`, 'workspaces/?search=Foreign']
  for (const search of searches) {
    expect((await call<List>('GET', `/api/v1/${search}`)).body).toMatchObject({ objects: [], total: 0 })
  }
})

test('a workspace admin sees no event of another workspace, whatever the query, in any form', async () => {
  const { database } = watchdesk
  const foreign = (await watchdesk.createWorkspace({ name: 'Foreign' })).id
  // Every change that there is, in another workspace and in none.
  for (const operation of guarded.filter(isWrite)) {
    const address = await addressOf(watchdesk, operation, 'foreign', foreign)
    // A session of its own, because one of them is the sign-out.
    const isOfAccount = operation.access === 'account'
    const { id } = isOfAccount
      ? await insertUser(watchdesk, { workspace_id: foreign, is_super_admin: true })
      : FIRST_ADMIN
    const admin = await openSession(watchdesk, id)
    await admin(operation.method, address, ...validCall(operation, foreign))
  }
  const { id } = await insertUser(watchdesk, { workspace_id: home, is_admin: true })
  const call = await openSession(watchdesk, id)
  await call('PATCH', `/api/v1/users/${id}`, { language: 'UK' })
  const { rows } = await sql<{
    id: number
    entity: string
    action: string
    actor_id: number
    workspace_id: number | null
  }>`
    select id, entity, action, actor_id, workspace_id from audit_events`.execute(database.db)
  const others = rows.filter(({ workspace_id }) => workspace_id !== home)
  expect(others.length).toBeGreaterThan(20)

  const values = (name: 'entity' | 'action' | 'actor_id' | 'workspace_id') =>
    [...new Set(rows.map((row) => row[name]))].filter((value) => value !== null).map((value) => `${name}=${value}`)
  const queries = [
    '',
    ...values('entity'),
    ...values('action'),
    ...values('actor_id').slice(-5),
    ...values('workspace_id').slice(-5),
    ...others.slice(-5).map((event) => `parent_id=${event.id}`),
    'search=example',
    'changes_only=true',
    'from=2020-01-01',
  ]
  const own = new Set(rows.filter(({ workspace_id }) => workspace_id === home).map((row) => row.id))
  type Events = { objects: { id: number }[] }
  for (const query of queries) {
    const { body } = await call<Events>('GET', `/api/v1/audit/?page_size=100&${query}`)
    expect({ query, seen: body.objects.filter((event) => !own.has(event.id)) }).toEqual({ query, seen: [] })
    const { body: counted } = await call<{ count: number }>('GET', `/api/v1/audit/new?after=0-0&${query}`)
    expect({ query, count: counted.count }).toEqual({ query, count: Math.min(body.objects.length, 100) })
  }
  const oneOfAKind = new Map(
    others.map((event) => [`${event.entity} ${event.action} ${event.workspace_id === null}`, event]),
  )
  for (const event of oneOfAKind.values()) {
    for (const path of ['', '/record?side=after'])
      expect((await call('GET', `/api/v1/audit/${event.id}${path}`)).status).toBe(404)
  }
  const file = await watchdesk.app.inject({
    url: '/api/v1/audit/file?format=jsonl',
    headers: { authorization: `Bearer ${call.token}` },
  })
  const lines = file.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).workspace.id)
  expect(new Set(lines)).toEqual(new Set([home]))
})

describe('a route that does not state its access', () => {
  const naked = { method: 'GET', url: '/api/v1/naked', handler: async () => 'secret' } as const

  test('cannot be registered', async () => {
    const app = await buildApp(watchdesk.deps)
    expect(() => app.route(naked)).toThrow('GET /api/v1/naked does not state its access')
    await app.close()
  })

  test('prevents the app from starting when a plugin adds it', async () => {
    const app = await buildApp(watchdesk.deps)
    app.register(async (plugin) => plugin.route(naked))
    await expect(app.ready()).rejects.toThrow('GET /api/v1/naked does not state its access')
  })
})

test('a call of the API without a schema cannot be registered', async () => {
  const app = await buildApp(watchdesk.deps)
  const unchecked = { ...listUsers, url: '/api/v1/unchecked', handler: async () => 'anything' }
  expect(() => app.route(unchecked)).toThrow('GET /api/v1/unchecked has no schema')
  await app.close()
})
