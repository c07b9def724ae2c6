import type { AuditPage } from '@watchdesk/contract/activity'
import { errorText } from '@watchdesk/contract/errors'
import { beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, type Caller, PASSWORD, QUOTAS, startAnother, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

type Made = { id: number; email: string }

async function list(query = '') {
  return (await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?page_size=100${query}`)).body
}

/** The events of an entity, oldest first. */
async function eventsOf<Result>(work: () => Promise<Result>) {
  const last = (await list()).objects[0]?.id ?? 0
  const result = await work()
  const events = (await list()).objects.filter(({ id }) => id > last).reverse()
  return { result, events }
}

const ACTOR = { actor: { id: 1, name: 'Super Admin' }, ip: '127.0.0.1', at: expect.stringMatching(/^20.*Z$/) }
const user = (email: string) => ({ first_name: 'Anna', last_name: 'Koval', email, password: PASSWORD, workspace_id: 1 })
const SHEET = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms'
const DASHBOARD = { name: 'Reach', embed_link: 'https://bi.example.com/reach' }

describe('every write creates exactly one event with its changes', () => {
  test('of users', async () => {
    const { admin } = watchdesk
    const { events, result } = await eventsOf(async () => {
      const { body } = await admin<Made>('POST', '/api/v1/users/', user('anna@example.com'))
      const url = `/api/v1/users/${body.id}`
      await admin('PATCH', url, { first_name: 'Hanna', last_name: 'Koval', is_admin: true })
      await admin('PATCH', url, { password: 'another staple 8' })
      await admin('DELETE', url)
      await admin('POST', `${url}/restore`)
      return body
    })
    const about = {
      ...ACTOR,
      id: expect.any(Number),
      entity: 'user',
      entity_id: result.id,
      record: { name: 'Hanna Koval', detail: 'anna@example.com', state: 'live', current_name: 'Hanna Koval' },
      workspace: { id: 1, name: 'Internal' },
      is_cut: false,
      parent_id: null,
      parts: 0,
    }
    expect(events).toEqual([
      {
        ...about,
        action: 'create',
        record: { ...about.record, name: 'Anna Koval' },
        version: 1,
        changes: {
          first_name: { before: null, after: 'Anna' },
          last_name: { before: null, after: 'Koval' },
          email: { before: null, after: 'anna@example.com' },
          workspace_id: { before: null, after: 1 },
          is_admin: { before: null, after: false },
          is_super_admin: { before: null, after: false },
          type: { before: null, after: 'STANDARD' },
          language: { before: null, after: '' },
        },
      },
      {
        ...about,
        action: 'update',
        version: 2,
        changes: { first_name: { before: 'Anna', after: 'Hanna' }, is_admin: { before: false, after: true } },
      },
      { ...about, action: 'update', version: 3, changes: { password: { before: null, after: '(changed)' } } },
      { ...about, action: 'delete', version: 4, changes: {} },
      { ...about, action: 'restore', version: 5, changes: {} },
    ])
  })

  test('of workspaces, with the number of users deleted with them', async () => {
    const { admin } = watchdesk
    const body = { name: 'North', ...QUOTAS }
    const { events, result } = await eventsOf(async () => {
      const { id } = (await admin<Made>('POST', '/api/v1/workspaces/', body)).body
      await watchdesk.createUser({ workspace_id: id })
      const url = `/api/v1/workspaces/${id}`
      await admin('PUT', url, { ...body, roles: ['search'], ai_quota: { ...QUOTAS.ai_quota, limit: 9 } })
      await admin('DELETE', url)
      await admin('POST', `${url}/restore`)
      return id
    })
    const own = events.filter(({ entity }) => entity === 'workspace')
    expect(events).toHaveLength(5)
    expect(own.map(({ action, entity_id }) => [action, entity_id])).toEqual(
      ['create', 'update', 'delete', 'restore'].map((action) => [action, result]),
    )
    expect(own[0]?.changes).toMatchObject({ name: { before: null, after: 'North' } })
    expect(own.slice(1).map(({ changes }) => changes)).toEqual([
      {
        roles: { before: [], after: ['search'] },
        ai_quota: { before: QUOTAS.ai_quota, after: { ...QUOTAS.ai_quota, limit: 9 } },
      },
      { users: { before: 1, after: 0 } },
      { users: { before: 0, after: 1 } },
    ])
  })

  test('of dashboards, the website config and sessions', async () => {
    const { admin } = watchdesk
    const { events } = await eventsOf(async () => {
      const { id } = (await admin<Made>('POST', '/api/v1/powerbi_dashboards/', DASHBOARD)).body
      const url = `/api/v1/powerbi_dashboards/${id}`
      await admin('PATCH', url, { name: 'Range' })
      await admin('DELETE', url)
      await admin('POST', `${url}/restore`)
      await admin('PATCH', '/api/v1/config/website_config', { sources_sheet_ok: SHEET })
      await (await watchdesk.signIn(ADMIN.email, ADMIN.password))('POST', '/api/v1/logout')
    })
    expect(events.map(({ action, entity, changes }) => [action, entity, changes])).toEqual([
      ['create', 'dashboard', expect.objectContaining({ name: { before: null, after: 'Reach' } })],
      ['update', 'dashboard', { name: { before: 'Reach', after: 'Range' } }],
      ['delete', 'dashboard', {}],
      ['restore', 'dashboard', {}],
      ['update', 'website_config', { sources_sheet_ok: { before: '', after: SHEET } }],
      ['login', 'session', { method: { before: null, after: 'password' } }],
      ['logout', 'session', {}],
    ])
    expect(events.filter(({ actor, ip }) => actor?.id !== 1 || ip !== '127.0.0.1')).toEqual([])
  })
})

test('a write that changes nothing, or fails, creates none', async () => {
  const { admin } = watchdesk
  const { id } = await watchdesk.createUser({ first_name: 'Same' })
  const dashboard = { id: await watchdesk.createDashboard() }
  const { events, result } = await eventsOf(async () => [
    await admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Same' }),
    await admin('PATCH', `/api/v1/powerbi_dashboards/${dashboard.id}`, DASHBOARD),
    await admin('PATCH', '/api/v1/config/website_config', {}),
    await admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Other' }, { 'if-match': '"9"' }),
    await admin('PATCH', `/api/v1/users/${id}`, { email: ADMIN.email }),
    await admin('POST', '/api/v1/users/', user(ADMIN.email)),
    await admin('POST', '/api/v1/users/', {}),
    await admin('DELETE', '/api/v1/users/1'),
    await admin('PUT', '/api/v1/workspaces/1', { name: 'X', ...QUOTAS, roles: ['wizard'] }),
    await admin('DELETE', '/api/v1/workspaces/1'),
  ])
  expect(result.map(({ status }) => status)).toEqual([200, 200, 200, 412, 409, 409, 422, 409, 422, 409])
  expect(events).toEqual([])
})

test('a write whose event cannot be saved is rolled back', async () => {
  const { pool } = watchdesk.database
  const { id } = await watchdesk.createUser({ first_name: 'Before' })
  await pool.query('alter table audit_events add constraint full_disk check (id < 0) not valid')
  const response = await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { first_name: 'After' })
  await pool.query('alter table audit_events drop constraint full_disk')
  expect(response.status).toBe(500)
  expect((await watchdesk.admin('GET', `/api/v1/users/${id}`)).body).toMatchObject({ first_name: 'Before', version: 1 })
})

test('an event whose write fails at commit is rolled back', async () => {
  const { admin } = watchdesk
  const { pool } = watchdesk.database
  const { id } = await watchdesk.createUser({})
  const dashboard = { id: await watchdesk.createDashboard() }
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$`)
  for (const table of ['users', 'workspaces', 'powerbi_dashboards', 'website_config']) {
    await pool.query(`create constraint trigger refuse after insert or update on ${table}
      deferrable initially deferred for each row execute function refuse()`)
  }
  const { events, result } = await eventsOf(async () => [
    await admin('POST', '/api/v1/users/', user('late@example.com')),
    await admin('PATCH', `/api/v1/users/${id}`, { first_name: 'Late' }),
    await admin('DELETE', `/api/v1/users/${id}`),
    await admin('POST', '/api/v1/workspaces/', { name: 'Late', ...QUOTAS }),
    await admin('PUT', '/api/v1/workspaces/1', { name: 'Late', ...QUOTAS }),
    await admin('PATCH', `/api/v1/powerbi_dashboards/${dashboard.id}`, { name: 'Late' }),
    await admin('DELETE', `/api/v1/powerbi_dashboards/${dashboard.id}`),
    await admin('PATCH', '/api/v1/config/website_config', { sources_sheet_vk: SHEET }),
  ])
  await pool.query('drop function refuse cascade')
  expect(result.map(({ status }) => status)).toEqual(Array(8).fill(500))
  expect(events).toEqual([])
})

test('no event holds a password, a hash or a token', async () => {
  const secrets = [PASSWORD, ADMIN.password, 'another staple 8', 'argon2', watchdesk.admin.token]
  const { rows } = await watchdesk.database.pool.query('select audit_events::text as event from audit_events')
  for (const secret of secrets) expect(rows.filter(({ event }) => event.includes(secret))).toEqual([])
})

describe('the list', () => {
  let anna: Caller
  let annas: number
  beforeAll(async () => {
    const { id, email } = await watchdesk.createUser({ first_name: 'Anna', last_name: 'Admin', is_admin: true })
    anna = await watchdesk.signIn(email)
    annas = id
    await anna('PATCH', `/api/v1/users/${id}`, { language: 'UK' })
    await watchdesk.database.pool.query(
      `insert into audit_events (at, actor_id, actor_name, action, entity, entity_id, changes) values
        ('2020-01-31T23:59:59.999Z', 77, 'Gone', 'update', 'workspace', 5, '{}'),
        ('2020-02-01T00:00:00Z', 77, 'Gone', 'update', 'user', 5, '{}'),
        ('2020-02-02T00:00:00Z', null, null, 'delete', 'user', 6, '{}')`,
    )
  })

  const found = async (query: string) => (await list(query)).objects.map(({ entity, entity_id }) => [entity, entity_id])

  test('is newest first, and continues where the last page ended', async () => {
    const { objects, next } = await list()
    expect(next).toBe(null)
    const times = objects.map(({ at }) => at)
    expect(times).toEqual([...times].sort().reverse())
    const pages: AuditPage['objects'] = []
    for (let before = ''; ; ) {
      const page = await watchdesk.admin<AuditPage>('GET', `/api/v1/audit/?page_size=3${before}`)
      pages.push(...page.body.objects)
      if (page.body.next === null) break
      before = `&before=${page.body.next}`
    }
    expect(pages).toEqual(objects)
  })

  test('counts what is new since it was read, with the same filters', async () => {
    const countNew = async (query: string) =>
      (await watchdesk.admin<{ count: number }>('GET', `/api/v1/audit/new?${query}`)).body.count
    const { newest } = await list()
    const ofDashboards = await list('&entity=dashboard&actor_id=999')
    expect(await countNew(`after=${newest}`)).toBe(0)
    const { id } = await watchdesk.createUser({})
    await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { first_name: 'New' })
    expect(await countNew(`after=${newest}`)).toBe(2)
    expect(await countNew(`after=${newest}&action=update`)).toBe(1)
    expect(await countNew(`after=${ofDashboards.newest}&entity=dashboard&actor_id=999`)).toBe(0)
  })

  test('can be searched by the names of persons and records and by email, in any letter case', async () => {
    const { id, email } = await watchdesk.createUser({ first_name: 'Zoë', last_name: 'Needle 50%_\\\\' })
    await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { language: 'UK' })
    for (const search of ['ZOË need', 'dle 50%_\\\\', email.toUpperCase()]) {
      expect((await list(`&search=${encodeURIComponent(search)}`)).objects.map(({ action }) => action)).toEqual([
        'update',
        'create',
      ])
    }
    const { objects } = await list('&search=anna%20ad&action=login')
    expect(objects.map(({ actor }) => actor?.id)).toEqual([annas])
  })

  test('can be filtered by entity, actor and time, and by all of them', async () => {
    expect(await found('&actor_id=77')).toEqual([
      ['user', 5],
      ['workspace', 5],
    ])
    expect(await found('&actor_id=77&entity=user')).toEqual([['user', 5]])
    expect(await found('&entity=user&entity_id=6&to=2021-01-01')).toEqual([['user', 6]])
    expect((await list(`&actor_id=${annas}`)).objects.map(({ action, actor }) => [action, actor?.name])).toEqual([
      ['update', 'Anna Admin'],
      ['login', 'Anna Admin'],
    ])
  })

  test('a system event has no actor', async () => {
    expect((await list('&to=2021-01-01')).objects[0]).toMatchObject({ actor: null, at: '2020-02-02T00:00:00.000Z' })
  })

  test('from is included, to is not, and a day begins at midnight UTC', async () => {
    expect(await found('&from=2020-02-01&to=2020-02-02')).toEqual([['user', 5]])
    expect(await found('&from=2020-02-01T02:00:00%2B02:00&to=2020-02-02T00:00:00Z')).toEqual([['user', 5]])
    expect(await found('&from=0001-01-01&to=2020-02-01')).toEqual([['workspace', 5]])
    expect(await found('&from=2020-01-31T00:01:00-23:59&to=2020-02-02T23:00:00%2B23:00')).toEqual([['user', 5]])
  })

  test.each([
    'from=yesterday',
    'from=0000-01-01',
    'to=2026-02-30',
    'from=2026-01-01T00:00:00',
    'entity=secret',
    'actor_id=0',
    'who=1',
    'search=ab',
    'search=a.b.c',
  ])('refuses %s and names it', async (query) => {
    const { status, body } = await watchdesk.admin('GET', `/api/v1/audit/?${query}`)
    expect(status).toBe(422)
    expect(errorText(body)).toContain(query.split('=')[0])
  })

  test.each(['?', 'new?after=0-0&', 'file?format=csv&'])(
    'needs the kind of a record in addition to its id: %s',
    async (path) => {
      const { status, body } = await watchdesk.admin('GET', `/api/v1/audit/${path}entity_id=5`)
      expect([status, errorText(body)]).toEqual([422, expect.stringContaining('entity')])
    },
  )

  test('of a workspace admin has the events of the workspace, and addresses of its own users only', async () => {
    const { body } = await anna<AuditPage>('GET', '/api/v1/audit/?page_size=100')
    expect(new Set(body.objects.map(({ workspace }) => workspace?.id))).toEqual(new Set([1]))
    const home = (await watchdesk.createWorkspace({ name: 'Home' })).id
    const { id, call: admin } = await watchdesk.createPerson({ workspace_id: home, is_admin: true })
    await admin('PATCH', `/api/v1/users/${id}`, { language: 'UK' })
    const own = (await admin<AuditPage>('GET', '/api/v1/audit/')).body.objects
    expect(own.map(({ action, entity, actor, ip }) => [action, entity, actor?.name === 'Super Admin', ip])).toEqual([
      ['update', 'user', false, '127.0.0.1'],
      ['login', 'session', false, '127.0.0.1'],
      ['create', 'user', true, null],
      ['create', 'workspace', true, null],
    ])
  })
})

test('an event has the name of then and of now, which a former workspace does not see', async () => {
  const [home, next] = [await watchdesk.createWorkspace({}), await watchdesk.createWorkspace({})]
  const boss = await watchdesk.createUser({ workspace_id: home.id, is_admin: true })
  const { id } = await watchdesk.createUser({ workspace_id: home.id, first_name: 'Old', last_name: 'Name' })
  await watchdesk.admin('PATCH', `/api/v1/users/${id}`, { workspace_id: next.id, first_name: 'New' })
  const created = `/api/v1/audit/?entity=user&entity_id=${id}&action=create`
  const recordFor = async (call: Caller) => (await call<AuditPage>('GET', created)).body.objects[0]?.record
  expect(await recordFor(watchdesk.admin)).toMatchObject({ name: 'Old Name', state: 'live', current_name: 'New Name' })
  expect(await recordFor(await watchdesk.signIn(boss.email))).toMatchObject({
    name: 'Old Name',
    state: 'gone',
    current_name: null,
  })
})

describe('an event with parts', () => {
  test('of a deleted workspace opens to its users, who keep it in their own history', async () => {
    const { admin } = watchdesk
    const { id } = await watchdesk.createWorkspace({ name: 'Parts' })
    const first = await watchdesk.createUser({ workspace_id: id })
    const second = await watchdesk.createUser({ workspace_id: id })
    const { events } = await eventsOf(async () => {
      await admin('DELETE', `/api/v1/workspaces/${id}`)
      await admin('POST', `/api/v1/workspaces/${id}/restore`)
    })
    expect(events.map(({ action, entity, parts }) => [action, entity, parts])).toEqual([
      ['delete', 'workspace', 2],
      ['restore', 'workspace', 2],
    ])
    const parts = (await list(`&parent_id=${events[0]?.id}`)).objects
    expect(parts.map(({ entity_id, version, parent_id }) => [entity_id, version, parent_id])).toEqual([
      [second.id, 2, events[0]?.id],
      [first.id, 2, events[0]?.id],
    ])
    const history = (await list(`&entity=user&entity_id=${first.id}&changes_only=true`)).objects
    expect(history.map(({ action, version }) => [action, version])).toEqual([
      ['restore', 3],
      ['delete', 2],
      ['create', 1],
    ])
  })

  test('of a deleted dashboard opens to the workspaces that listed it, which are changed by it', async () => {
    const { admin } = watchdesk
    const dashboard = { id: await watchdesk.createDashboard() }
    const other = { id: await watchdesk.createDashboard() }
    const { id } = await watchdesk.createWorkspace({ powerbi_dashboards: [dashboard.id, other.id] })
    const person = await watchdesk.createUser({ workspace_id: id, is_admin: true })
    await admin('DELETE', `/api/v1/powerbi_dashboards/${dashboard.id}`)
    await admin('POST', `/api/v1/powerbi_dashboards/${dashboard.id}/restore`)
    const changes = [
      { powerbi_dashboards: { before: [other.id], after: [dashboard.id, other.id] } },
      { powerbi_dashboards: { before: [dashboard.id, other.id], after: [other.id] } },
    ]
    const history = (await list(`&entity=workspace&entity_id=${id}&action=update`)).objects
    expect(history.map((event) => event.changes)).toEqual(changes)
    expect(history.map(({ version }) => version)).toEqual([3, 2])
    // The event of the dashboard itself belongs to no workspace.
    const ofWorkspace = await (await watchdesk.signIn(person.email))<AuditPage>('GET', '/api/v1/audit/?action=update')
    expect(ofWorkspace.body.objects.map((event) => event.changes)).toEqual(changes)
  })
})

describe('a page of very large changes', () => {
  const caseTypes = (letter: string) => Array.from({ length: 500 }, (_, index) => `${index}`.padEnd(200, letter))
  /** All fields at their maximum length, different for each letter. */
  function largest(letter: string) {
    const text = letter.repeat(500)
    const settings = { search_term_index_override: text, vectorized_index_override: text, keywords_parser_class: text }
    const description = letter.repeat(2_000)
    const available_case_types = caseTypes(letter)
    return { ...QUOTAS, ...settings, name: letter.repeat(200), description, available_case_types, homepage: text }
  }
  const readPage = (entity_id: number) =>
    watchdesk.app.inject({
      url: `/api/v1/audit/?page_size=100&entity=workspace&entity_id=${entity_id}`,
      headers: { authorization: `Bearer ${watchdesk.admin.token}` },
    })

  test('has long values cut and marked, and the event by itself has all of them', async () => {
    const { deps } = watchdesk
    const case_types = ['a', 'ж', 'z'].flatMap(caseTypes)
    const { admin } = await startAnother(watchdesk, { catalog: { ...deps.catalog, case_types } })
    const { id } = (await admin<Made>('POST', '/api/v1/workspaces/', largest('a'))).body
    for (const letter of ['ж', 'z']) {
      expect((await admin('PUT', `/api/v1/workspaces/${id}`, largest(letter))).status).toBe(200)
    }
    const { objects } = (await readPage(id)).json<AuditPage>()
    expect(objects).toHaveLength(3)
    for (const { id: event, changes, is_cut } of objects) {
      expect(is_cut).toBe(true)
      expect(JSON.stringify(changes).length).toBeLessThan(40_000)
      expect(JSON.stringify(changes)).toContain('(cut: ')
      const whole = (await watchdesk.admin<AuditPage['objects'][number]>('GET', `/api/v1/audit/${event}`)).body
      expect(whole.is_cut).toBe(false)
      expect(whole.changes.available_case_types?.after).toHaveLength(500)
    }
  })

  test('stays small however many of them there are', async () => {
    await watchdesk.database.pool.query(
      `insert into audit_events (action, entity, entity_id, changes)
       select 'update', 'workspace', 999999, jsonb_build_object(
         'description', jsonb_build_object('before', repeat('x', 100000), 'after', 'short'),
         'roles', jsonb_build_object('before', '["search"]'::jsonb, 'after', null))
       from generate_series(1, 99)`,
    )
    await watchdesk.database.pool.query(
      `insert into audit_events (action, entity, entity_id, changes)
       select 'update', 'workspace', 999999, jsonb_build_object(
         'name', jsonb_build_object('before', 'A', 'after', string_agg(md5(number::text), '')))
       from generate_series(1, 20000) number`,
    )
    const response = await readPage(999_999)
    expect(response.body.length).toBeLessThan(200_000)
    expect(response.statusCode, response.body.slice(0, 500)).toBe(200)
    const { objects } = response.json<AuditPage>()
    expect(objects).toHaveLength(100)
    expect(objects[0]?.changes).toEqual({ name: { before: null, after: '… (cut: too large to show)' } })
    expect(objects[1]?.changes).toEqual({
      description: { before: expect.stringMatching(/^"xxx.*… \(cut: 100,002 characters in all\)$/), after: 'short' },
      roles: { before: ['search'], after: null },
    })
  })
})
