import type { AuditPage, EarlierRecord } from '@watchdesk/contract/activity'
import { errorText } from '@watchdesk/contract/errors'
import type { RecordKind } from '@watchdesk/contract/records'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterWaiting } from '../../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { type Caller, caller, QUOTAS, startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { buildApp } from '../../app.ts'
import type { App } from '../../plugins/contract.ts'

const watchdesk = useWatchdesk()

type Made = { id: number; version: number }

async function historyOf(entity: RecordKind, id: number | null, call: Caller = watchdesk.admin) {
  const record = id === null ? '' : `&entity_id=${id}`
  const url = `/api/v1/audit/?entity=${entity}${record}&changes_only=true&page_size=100`
  return (await call<AuditPage>('GET', url)).body.objects
}

async function eventOf(entity: RecordKind, id: number | null, version: number) {
  const event = (await historyOf(entity, id)).find((each) => each.version === version)
  if (!event) throw new Error(`There is no event of version ${version}`)
  return event.id
}

function compare(event: number, side = 'before', call: Caller = watchdesk.admin) {
  return call<EarlierRecord>('GET', `/api/v1/audit/${event}/record?side=${side}`)
}

function putBack(
  event: number,
  body: { side?: string; fields: string[] },
  call: Caller = watchdesk.admin,
  version = '',
) {
  const headers = version ? { 'if-match': `"${version}"` } : undefined
  return call<{ version: number }>('POST', `/api/v1/audit/${event}/put_back`, { side: 'before', ...body }, headers)
}

describe('for any sequence of edits', () => {
  const word = fc.constantFrom('Alpha', 'Beta', 'Gamma', 'Дельта')
  const names = fc.subarray(['one', 'two', 'three'])
  const quota = fc.record({
    balance: fc.nat(1000),
    limit: fc.nat(1000),
    renewal_date: fc.constantFrom('2027-01-01T00:00:00', '2027-02-01T00:00:00'),
  })
  const some = <Fields extends object>(fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> }) =>
    fc.record(fields, { requiredKeys: [] })

  const edits = {
    user: some({
      first_name: word,
      last_name: word,
      is_admin: fc.boolean(),
      type: fc.constantFrom('STANDARD', 'MODERATOR'),
      language: fc.constantFrom('EN', 'UK', ''),
      password: fc.constantFrom('staple battery 7', 'another staple 8'),
    }),
    workspace: some({
      name: word,
      description: word,
      status: fc.constantFrom(null, 'INTERNAL', 'TRIAL'),
      roles: names,
      available_case_types: names,
      analytical_quota: quota,
      ai_quota: quota,
      search_similarity_threshold: fc.constantFrom(null, 0, 0.5),
      is_ucbi_admin: fc.boolean(),
      homepage: fc.option(word),
    }),
    dashboard: some({ name: word, description: fc.option(word), embed_link: fc.webUrl() }),
    website_config: some({
      default_case_types: names.map((list) => JSON.stringify(list)),
      sources_sheet_vk: fc.constantFrom('', '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upm1'),
      sources_sheet_ok: fc.constantFrom('', '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upm2'),
    }),
  }

  let app: App
  let admin: Caller
  beforeAll(async () => {
    const { deps } = watchdesk
    const offered = ['one', 'two', 'three']
    const catalog = { ...deps.catalog, all_roles: offered, case_types: offered }
    app = await buildApp({ ...deps, catalog })
    admin = caller(app, watchdesk.admin.token)
  })
  afterAll(() => app.close())

  const kinds = {
    user: { url: '/api/v1/users/', make: () => watchdesk.createUser({}), method: 'PATCH' },
    workspace: { url: '/api/v1/workspaces/', make: () => watchdesk.createWorkspace({}), method: 'PUT' },
    dashboard: {
      url: '/api/v1/powerbi_dashboards/',
      make: async () => ({ id: await watchdesk.createDashboard() }),
      method: 'PATCH',
    },
    website_config: {
      url: '/api/v1/config/website_config',
      // The case types that the first start sets are not offered here.
      make: async () => {
        await admin('PATCH', '/api/v1/config/website_config', { default_case_types: '[]' })
        return { id: null }
      },
      method: 'PATCH',
    },
  } as const

  test.each(['user', 'workspace', 'dashboard', 'website_config'] as const)(
    'a %s put back to any version has the values of that version, and its history has no hole',
    async (kind) => {
      const { url, make, method } = kinds[kind]
      const property = fc.asyncProperty(
        fc.array(edits[kind] as fc.Arbitrary<object>, { minLength: 2, maxLength: 6 }),
        fc.nat(),
        async (changes, chosen) => {
          const { id } = await make()
          const address = `${url}${id ?? ''}`
          const read = async () => {
            const { body, headers } = await admin<Record<string, unknown>>('GET', address)
            const { version: _, workspace: __, ...values } = body
            return { version: Number(String(headers.etag).replaceAll('"', '')), values }
          }
          const versions = new Map<number, object>()
          const remember = async () => {
            const { version, values } = await read()
            versions.set(version, values)
            return version
          }
          const first = await remember()
          for (const change of changes) {
            const body =
              kind === 'workspace' ? { name: 'A', ...QUOTAS, trial_end_date: '2027-05-01T00:00:00', ...change } : change
            expect((await admin(method, address, body)).status).toBe(200)
            await remember()
          }
          const history = await historyOf(kind, id, admin)
          const numbers = history.map(({ version }) => version)
          expect(numbers).toEqual(numbers.map((_, index) => Number(numbers[0]) - index))
          if (id !== null) expect(numbers.at(-1)).toBe(1)

          const target = [...versions.keys()][chosen % versions.size] ?? first
          // The first version of the website config has no event of its own.
          const event = history.find(({ version }) => version === target)
          const side = event ? 'after' : 'before'
          const from = event ?? history.find(({ version }) => version === target + 1)
          if (!from) return
          const { body: compared } = await compare(from.id, side, admin)
          const fields = compared.fields.map(({ field }) => field)
          expect(fields).not.toContain('password')
          if (fields.length > 0) {
            const { status, body } = await putBack(from.id, { side, fields }, admin)
            expect([status, body.version]).toEqual([200, Number(numbers[0]) + 1])
            expect((await historyOf(kind, id, admin))[0]).toMatchObject({ action: 'put_back', version: body.version })
          }
          expect((await read()).values).toEqual(versions.get(target))
        },
      )
      await fc.assert(property, { numRuns: 5 })
    },
  )
})

test('one field is put back, and the others stay', async () => {
  const { id } = await watchdesk.createUser({ first_name: 'Anna', last_name: 'Koval' })
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Hanna', last_name: 'Kovalenko' })
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { language: 'UK' })
  const event = await eventOf('user', id, 2)
  expect((await compare(event)).body).toEqual({
    entity: 'user',
    entity_id: id,
    version: 3,
    fields: [
      { field: 'first_name', current: 'Hanna', earlier: 'Anna', note: null, problem: null },
      { field: 'last_name', current: 'Kovalenko', earlier: 'Koval', note: null, problem: null },
      { field: 'language', current: 'UK', earlier: '', note: null, problem: null },
    ],
  })
  expect((await putBack(event, { fields: ['last_name'] })).body).toEqual({ version: 4 })
  expect((await watchdesk.admin('GET', `/api/v1/users/${id}`)).body).toMatchObject({
    first_name: 'Hanna',
    last_name: 'Koval',
    language: 'UK',
  })
  expect((await historyOf('user', id))[0]).toMatchObject({
    action: 'put_back',
    actor: { name: 'Super Admin' },
    changes: { last_name: { before: 'Kovalenko', after: 'Koval' } },
  })
})

test('nothing is overwritten that changed after the comparison', async () => {
  const { id } = await watchdesk.createUser({ first_name: 'Anna' })
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Hanna' })
  const event = await eventOf('user', id, 2)
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Joanna' })
  const { status, body } = await putBack(event, { fields: ['first_name'] }, watchdesk.admin, '2')
  expect([status, errorText(body)]).toEqual([412, expect.stringContaining('This user was changed by Super Admin at')])
  expect((await watchdesk.admin('GET', `/api/v1/users/${id}`)).body.first_name).toBe('Joanna')
})

test('nothing is overwritten that changes during the put back, even if the caller accepts any version', async () => {
  const { admin, database } = watchdesk
  const { id } = await watchdesk.createWorkspace({ name: 'One' })
  await admin('PUT', `/api/v1/workspaces/${id}`, { name: 'Two', ...QUOTAS })
  const event = await eventOf('workspace', id, 2)
  const [edited, back] = await afterWaiting(
    database.pool,
    `select from workspaces where id = ${id} for update`,
    () => admin('PUT', `/api/v1/workspaces/${id}`, { name: 'Two', ...QUOTAS, description: 'By another person' }),
    () => admin('POST', `/api/v1/audit/${event}/put_back`, { side: 'before', fields: ['name'] }, { 'if-match': '*' }),
  )
  expect([edited?.status, back?.status]).toEqual([200, 412])
  const { body } = await admin('GET', `/api/v1/workspaces/${id}`)
  expect(body).toMatchObject({ name: 'Two', description: 'By another person' })
})

test.each(['constructor', '__proto__', 'id', 'version'])('%s is not a field that can be put back', async (field) => {
  const { id } = await watchdesk.createUser({ first_name: 'Anna' })
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Hanna' })
  expect((await putBack(await eventOf('user', id, 2), { fields: [field] })).status).toBe(422)
})

describe('what no longer exists', () => {
  test('a role, a case type and a dashboard are left out, with a note', async () => {
    const { deps, admin } = watchdesk
    const catalog = { ...deps.catalog, all_roles: ['search', 'oracle'], case_types: ['fraud', 'omen'] }
    const { admin: earlier } = await startAnother(watchdesk, { catalog })
    const dashboard = { id: await watchdesk.createDashboard() }
    const body = { name: 'Old', ...QUOTAS }
    const chosen = { roles: ['search', 'oracle'], available_case_types: ['omen'], powerbi_dashboards: [dashboard.id] }
    const { id } = (await earlier<Made>('POST', '/api/v1/workspaces/', { ...body, ...chosen })).body
    await earlier('PUT', `/api/v1/workspaces/${id}`, body)
    await admin('DELETE', `/api/v1/powerbi_dashboards/${dashboard.id}`)

    const event = await eventOf('workspace', id, 2)
    const { fields } = (await compare(event)).body
    expect(fields).toEqual([
      {
        field: 'roles',
        current: [],
        earlier: ['search'],
        note: 'Left out, because it no longer exists: role oracle.',
        problem: null,
      },
      {
        field: 'powerbi_dashboards',
        current: [],
        earlier: [],
        note: null,
        problem: `Left out, because it no longer exists: dashboard ${dashboard.id}.`,
      },
      {
        field: 'available_case_types',
        current: [],
        earlier: [],
        note: null,
        problem: 'Left out, because it no longer exists: case type omen.',
      },
    ])
    expect((await putBack(event, { fields: ['roles'] })).status).toBe(200)
    expect((await admin('GET', `/api/v1/workspaces/${id}`)).body).toMatchObject({ config: { roles: ['search'] } })
  })

  test('a deleted workspace cannot get its user back', async () => {
    const { admin } = watchdesk
    const [old, home] = [await watchdesk.createWorkspace({ name: 'Old' }), await watchdesk.createWorkspace({})]
    const { id } = await watchdesk.createUser({ workspace_id: old.id })
    await admin('PATCH', `/api/v1/users/${id}`, { workspace_id: home.id })
    await admin('DELETE', `/api/v1/workspaces/${old.id}`)
    const event = await eventOf('user', id, 2)
    const problem = 'The workspace Old is deleted. Restore it first.'
    expect((await compare(event)).body.fields).toMatchObject([{ field: 'workspace_id', problem }])
    const { status, body } = await putBack(event, { fields: ['workspace_id'] })
    expect([status, errorText(body)]).toEqual([422, expect.stringContaining(problem)])
  })

  test('an email that somebody else has now cannot be put back', async () => {
    const { admin } = watchdesk
    const { id, email } = await watchdesk.createUser({})
    await admin('PATCH', `/api/v1/users/${id}`, { email: 'moved@example.com' })
    await watchdesk.createUser({ first_name: 'New', last_name: 'Owner', email: email.toUpperCase() })
    const event = await eventOf('user', id, 2)
    expect((await compare(event)).body.fields).toMatchObject([
      { field: 'email', problem: 'New Owner has this email now.' },
    ])
  })

  test('a workspace admin does not learn who in another workspace has an email', async () => {
    const { id: workspace_id } = await watchdesk.createWorkspace({})
    const own = await watchdesk.createUser({ workspace_id, is_admin: true })
    const { id, email } = await watchdesk.createUser({ workspace_id })
    const call = await watchdesk.signIn(own.email)
    await call('PATCH', `/api/v1/users/${id}`, { email: 'given.away@example.com' })
    await watchdesk.createUser({ first_name: 'Secret', email })
    const { body } = await compare(await eventOf('user', id, 2), 'before', call)
    expect(body.fields).toMatchObject([{ field: 'email', problem: 'Another user has this email now.' }])
  })

  test('a deleted record has to be restored first', async () => {
    const { id } = await watchdesk.createUser({ first_name: 'Anna' })
    await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Hanna' })
    await watchdesk.admin('DELETE', `/api/v1/users/${id}`)
    const { status, body } = await putBack(await eventOf('user', id, 2), { fields: ['first_name'] })
    expect([status, errorText(body)]).toEqual([409, 'This user is deleted. Restore it first.'])
  })

  test('a value that was cut when it was recorded cannot be put back', async () => {
    const { id } = await watchdesk.createWorkspace({ description: 'Short' })
    await watchdesk.admin('PUT', `/api/v1/workspaces/${id}`, { name: 'Cut', ...QUOTAS, description: 'Other' })
    const { rows } = await watchdesk.database.pool.query(
      `insert into audit_events (action, entity, entity_id, record_name, workspace_id, changes)
       values ('update', 'workspace', $1, 'Cut', $1, $2) returning id`,
      [id, { description: { before: 'Long… (cut: 20,000 characters in all)', after: 'Other' } }],
    )
    expect((await compare(Number(rows[0].id))).body.fields).toMatchObject([
      { field: 'description', problem: 'This value was too long to be kept when it was changed.' },
    ])
  })
})

describe('nobody gets more rights by putting something back', () => {
  test('a password is never offered or put back', async () => {
    const { id } = await watchdesk.createUser({})
    await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { password: 'another staple 8' })
    const event = await eventOf('user', id, 2)
    expect((await compare(event)).body.fields).toEqual([])
    const { status, body } = await putBack(event, { fields: ['password'] })
    expect([status, errorText(body)]).toEqual([422, expect.stringContaining('password is not a field')])
  })

  test('a workspace admin puts back users of the workspace, without the rights of super admins', async () => {
    const { admin } = watchdesk
    const { id: home } = await watchdesk.createWorkspace({})
    const own = await watchdesk.createUser({ workspace_id: home, is_admin: true })
    const other = await watchdesk.createUser({ workspace_id: home, first_name: 'Anna' })
    await admin('PATCH', `/api/v1/users/${other.id}`, { is_super_admin: true })
    await admin('PATCH', `/api/v1/users/${other.id}`, { is_super_admin: false, first_name: 'Hanna' })
    await admin('PUT', `/api/v1/workspaces/${home}`, { name: 'Renamed', ...QUOTAS })
    const call = await watchdesk.signIn(own.email)
    const event = await eventOf('user', other.id, 3)
    expect((await compare(event, 'before', call)).body.fields).toMatchObject([
      { field: 'first_name', problem: null },
      { field: 'is_super_admin', problem: 'Only super admins can make someone a super admin.' },
    ])
    expect((await putBack(event, { fields: ['is_super_admin'] }, call)).status).toBe(422)
    expect((await putBack(event, { fields: ['first_name'] }, call)).status).toBe(200)
    const ofWorkspace = await eventOf('workspace', home, 2)
    expect((await putBack(ofWorkspace, { fields: ['name'] }, call)).status).toBe(403)
    const foreign = await watchdesk.createUser({})
    expect((await compare(await eventOf('user', foreign.id, 1), 'after', call)).status).toBe(404)
  })

  test('a workspace admin puts back the right of an admin without that of a super admin, as in an edit', async () => {
    const admin = await watchdesk.createPerson({ is_admin: true })
    const { workspace_id } = (await admin.call<{ workspace_id: number }>('GET', '/api/v1/users/me')).body
    const user = await watchdesk.createUser({ workspace_id, is_admin: true, is_super_admin: true })
    await watchdesk.admin('PATCH', `/api/v1/users/${user.id}`, { is_admin: false, is_super_admin: false })
    const event = await eventOf('user', user.id, 2)
    const { fields } = (await compare(event, 'before', admin.call)).body
    expect(fields.map(({ field, problem }) => [field, problem])).toEqual([
      ['is_admin', null],
      ['is_super_admin', 'Only super admins can make someone a super admin.'],
    ])
    expect((await putBack(event, { fields: ['is_admin'] }, admin.call)).status).toBe(200)
  })

  test('a workspace admin does not learn who has an email in another workspace, and cannot change a super admin', async () => {
    const { admin } = watchdesk
    const { id: home } = await watchdesk.createWorkspace({})
    const call = await openSession(watchdesk, (await insertUser(watchdesk, { workspace_id: home, is_admin: true })).id)
    const { id, email } = await watchdesk.createUser({ workspace_id: home })
    await admin('PATCH', `/api/v1/users/${id}`, { email: 'elsewhere@example.com' })
    await watchdesk.createUser({ first_name: 'Hidden', email })
    const event = await eventOf('user', id, 2)
    expect((await compare(event, 'before', call)).body.fields).toMatchObject([
      { field: 'email', problem: 'Another user has this email now.' },
    ])
    await admin('PATCH', `/api/v1/users/${id}`, { is_super_admin: true, first_name: 'Hanna' })
    const problem = 'Only super admins can change a super admin.'
    expect((await compare(event, 'before', call)).body.fields).toMatchObject([{ problem }, { problem }, { problem }])
  })

  test('people cannot put back their own email or remove their own rights', async () => {
    const person = await watchdesk.createUser({})
    await watchdesk.admin('PATCH', `/api/v1/users/${person.id}`, { is_super_admin: true, email: 'new@example.com' })
    const call = await watchdesk.signIn('new@example.com')
    const problems = (await compare(await eventOf('user', person.id, 2), 'before', call)).body.fields
    expect(problems.map(({ field, problem }) => [field, typeof problem])).toEqual([
      ['email', 'string'],
      ['is_super_admin', 'string'],
    ])
  })
})

test.each([
  ['the creation has nothing before it', 'create', 409],
  ['a sign-in changed nothing', 'login', 409],
])('%s', async (_, action, wanted) => {
  const person = await watchdesk.createUser({ is_admin: true })
  await watchdesk.signIn(person.email)
  const { body } = await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?action=${action}&search=${person.email}`)
  const { status } = await compare(body.objects[0]?.id ?? 0)
  expect(status).toBe(wanted)
})
