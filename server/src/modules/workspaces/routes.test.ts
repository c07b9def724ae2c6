import { errorText } from '@watchdesk/contract/errors'
import type { Page } from '@watchdesk/contract/page'
import { WORKSPACE_DEFAULTS } from '@watchdesk/contract/workspace-settings'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterWaiting } from '../../../test/helpers/locks.ts'
import { type Caller, QUOTAS, useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()

const SETTINGS = {
  featureflags: ['sentiment', 'public_api'],
  roles: ['search', 'ucbi'],
  search_term_index_override: 'terms-2026',
  vectorized_index_override: 'vectors-2026',
  keywords_parser_class: 'BooleanParser',
  language: 'uk',
  is_ucbi_reporter: true,
  is_ucbi_admin: true,
  is_reporter_only_user: true,
  search_similarity_threshold: 0.35,
  narratives_similarity_threshold: 1,
  stories_vectors_model: 'lexical',
  available_case_types: ['fraud', 'spam'],
  homepage: '/narratives',
}
/** Until a quota is renewed, its date tells the day. */
const TOP = {
  name: 'Northwind Media',
  description: 'Monitoring in два languages',
  status: 'TRIAL',
  trial_end_date: '2026-12-31T00:00:00',
  ...QUOTAS,
}
const MINIMAL = { name: 'Minimal', ...QUOTAS }

function post(body: object) {
  return watchdesk.admin<Workspace>('POST', '/api/v1/workspaces/', body)
}

function put(id: number, body: object, headers = {}) {
  return watchdesk.admin<Workspace>('PUT', `/api/v1/workspaces/${id}`, body, headers)
}

describe('the whole body', () => {
  test('is returned as sent, with every setting in the config', async () => {
    const powerbi_dashboards = [await watchdesk.createDashboard(), await watchdesk.createDashboard()].reverse()
    const created = await post({ ...TOP, ...SETTINGS, powerbi_dashboards })
    expect([created.status, created.headers.etag]).toEqual([201, '"1"'])
    const id = created.body.id
    expect(created.body).toEqual({
      id,
      ...TOP,
      config: { ...SETTINGS, powerbi_dashboards, tags: [] },
      version: 1,
    })
    expect((await watchdesk.admin('GET', `/api/v1/workspaces/${id}`)).body).toEqual(created.body)
    const list = await watchdesk.admin<Page<Workspace>>('GET', '/api/v1/workspaces/?search=northwind')
    expect(list.body).toEqual({ objects: [created.body], total: 1, size: 20 })
  })

  test('replaces the workspace on an edit: missing fields get their default', async () => {
    const { body } = await post({ ...TOP, ...SETTINGS })
    const edited = await put(body.id, MINIMAL)
    const { description, status, trial_end_date, ...settings } = WORKSPACE_DEFAULTS
    expect([edited.status, edited.headers.etag]).toEqual([200, '"2"'])
    expect(edited.body).toEqual({
      id: body.id,
      description,
      status,
      trial_end_date,
      ...MINIMAL,
      config: { ...settings, tags: [] },
      version: 2,
    })
    expect((await post(MINIMAL)).body).toEqual({ ...edited.body, id: expect.any(Number), version: 1 })
  })

  test('sent again unchanged does not increment the version', async () => {
    const { body } = await post({ ...TOP, ...SETTINGS })
    expect((await put(body.id, { ...TOP, ...SETTINGS })).body).toEqual(body)
  })

  test('keeps tags, which no form shows', async () => {
    const { id } = await watchdesk.createWorkspace()
    await watchdesk.database.pool.query(
      `update workspaces set config = jsonb_set(config, '{tags}', '["vip","eu"]') where id = $1`,
      [id],
    )
    expect((await put(id, { ...TOP, ...SETTINGS })).body.config).toMatchObject({ ...SETTINGS, tags: ['vip', 'eu'] })
    const refused = await put(id, { ...MINIMAL, tags: [] })
    expect([refused.status, errorText(refused.body)]).toEqual([422, 'tags is not a known field.'])
  })

  test('with a stale version is 412 with who changed it', async () => {
    const { id } = await watchdesk.createWorkspace()
    expect((await put(id, TOP, { 'if-match': '"1"' })).status).toBe(200)
    const stale = await put(id, MINIMAL, { 'if-match': '"1"' })
    expect(stale.status).toBe(412)
    expect(errorText(stale.body)).toMatch(/^This workspace was changed by Super Admin at \S+Z\.$/)
  })
})

describe('what is refused', () => {
  const { analytical_quota, ai_quota } = QUOTAS
  const without = (quota: object, field: string) => ({ ...quota, [field]: undefined })
  const missing = Object.entries({ analytical_quota, ai_quota }).flatMap(([name, quota]) =>
    ['limit', 'balance', 'renewal_date'].map(
      (field) => [{ [name]: without(quota, field) }, `${name}_${field} is a required field`] as const,
    ),
  )

  test('a body without fields, with the name and both quotas as errors', async () => {
    const response = await post({})
    expect(response.status).toBe(422)
    expect(errorText(response.body).split('\n')).toEqual([
      'Workspace name is required!',
      'analytical_quota is a required field',
      'ai_quota is a required field',
    ])
  })

  test.each<readonly [object, string | RegExp]>([
    ...missing,
    [{ ai_quota: { ...ai_quota, limit: null } }, 'ai_quota_limit is a required field'],
    [{ name: '' }, 'Workspace name is required!'],
    [{ name: '  ' }, 'Workspace name is required!'],
    [{ name: null }, 'Workspace name is required!'],
    [{ status: 'TRIAL' }, 'Trial end date is required!'],
    [{ status: 'TRIAL', trial_end_date: null }, 'Trial end date is required!'],
    [{ name: '', status: 'TRIAL' }, 'Workspace name is required!\nTrial end date is required!'],
    [{ status: 'GONE' }, /^status: Invalid/],
    [{ status: '' }, /^status: Invalid/],
    [{ description: null }, /^description: Invalid/],
    [{ ai_quota: { ...ai_quota, limit: -1 } }, /^ai_quota\.limit: Too small/],
    [{ ai_quota: { ...ai_quota, balance: 1.5 } }, /^ai_quota\.balance: Invalid/],
    [{ ai_quota: { ...ai_quota, balance: '5' } }, /^ai_quota\.balance: Invalid/],
    [{ ai_quota: { ...ai_quota, used: 5 } }, 'used is not a known field.'],
    [{ search_similarity_threshold: 1.01 }, /^search_similarity_threshold: Too big/],
    [{ search_similarity_threshold: -0.01 }, /^search_similarity_threshold: Too small/],
    [{ narratives_similarity_threshold: '0.5' }, /^narratives_similarity_threshold: Invalid/],
    [{ roles: ['search', 'search'] }, 'The list contains the same entry twice.'],
    [{ config: {} }, 'config is not a known field.'],
  ])('%j', async (field, message) => {
    const created = await post({ ...MINIMAL, ...field })
    expect(created.status).toBe(422)
    expect(errorText(created.body)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
    const edited = await put(1, { ...MINIMAL, ...field })
    expect([edited.status, edited.body]).toEqual([422, created.body])
  })

  const WRONG_FORMAT = /Must be a date in the format YYYY-MM-DDT00:00:00\.$/
  const NO_SUCH_DATE = /This date does not exist\.$/
  test.each([
    ['2026-02-30T00:00:00', NO_SUCH_DATE],
    ['2025-02-29T00:00:00', NO_SUCH_DATE],
    ['2026-13-01T00:00:00', NO_SUCH_DATE],
    ['0000-01-01T00:00:00', NO_SUCH_DATE],
    ['2026-12-01', WRONG_FORMAT],
    ['2026-12-01T00:00:00Z', WRONG_FORMAT],
    ['2026-12-01T00:00:00.000', WRONG_FORMAT],
    ['2026-12-01T10:00:00', WRONG_FORMAT],
    ['2026-12-01 00:00:00', WRONG_FORMAT],
    ['26-12-01T00:00:00', WRONG_FORMAT],
    ['', WRONG_FORMAT],
    ['tomorrow', WRONG_FORMAT],
  ])('the day %j, as trial end and as renewal', async (day, message) => {
    for (const field of [{ trial_end_date: day }, { ai_quota: { ...ai_quota, renewal_date: day } }]) {
      const response = await post({ ...MINIMAL, ...field })
      expect(response.status).toBe(422)
      expect(errorText(response.body)).toMatch(message)
    }
  })

  test.each(['2028-02-29T00:00:00', '0001-01-01T00:00:00', '9999-12-31T00:00:00'])(
    'but not the day %s',
    async (day) => {
      const { body } = await post({ ...MINIMAL, trial_end_date: day, ai_quota: { ...ai_quota, renewal_date: day } })
      expect([body.trial_end_date, body.ai_quota.renewal_date]).toEqual([day, day])
    },
  )

  test.each([0, 0.05, 1, null])('nor the threshold %s', async (threshold) => {
    const { body } = await post({ ...MINIMAL, search_similarity_threshold: threshold })
    expect(body.config.search_similarity_threshold).toBe(threshold)
  })

  test.each([
    ['GET', '', undefined],
    ['PUT', '', MINIMAL],
    ['DELETE', '', undefined],
    ['POST', '/restore', undefined],
  ] as const)('%s of a workspace that does not exist%s: 404', async (method, suffix, body) => {
    const response = await watchdesk.admin(method, `/api/v1/workspaces/2147483647${suffix}`, body)
    expect(response.status).toBe(404)
    expect(errorText(response.body)).toMatch(/workspace not found\.$/i)
  })
})

describe('a workspace admin', () => {
  let call: Caller
  let own: Workspace
  beforeAll(async () => {
    own = (await post({ ...TOP, name: 'Own' })).body
    call = (await watchdesk.createPerson({ workspace_id: own.id, is_admin: true })).call
  })

  test('sees only their own workspace', async () => {
    for (const query of ['', '?search=own', '?sort=-name', '?page_size=100']) {
      const list = await call('GET', `/api/v1/workspaces/${query}`)
      expect(list.body).toMatchObject({ objects: [own], total: 1 })
    }
    expect((await call('GET', '/api/v1/workspaces/?search=internal')).body).toMatchObject({ objects: [], total: 0 })
    expect((await call('GET', `/api/v1/workspaces/${own.id}`)).body).toEqual(own)
    expect((await call('GET', '/api/v1/workspaces/1')).status).toBe(404)
  })

  test('cannot change any workspace, not even their own', async () => {
    const url = `/api/v1/workspaces/${own.id}`
    const responses = [
      await call('POST', '/api/v1/workspaces/', MINIMAL),
      await call('PUT', url, MINIMAL),
      await call('DELETE', url),
      await call('POST', `${url}/restore`),
    ]
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect((await watchdesk.admin('GET', url)).body).toEqual(own)
  })
})

test('an edit that waits for another one sees the dashboards that the other one set', async () => {
  const { admin, createWorkspace, createDashboard, database } = watchdesk
  const [one, two] = [await createDashboard(), await createDashboard()]
  const { id, name } = await createWorkspace({ powerbi_dashboards: [one] })
  const editing = `select from workspaces where id = ${id} for update;
    update workspace_dashboards set dashboard_id = ${two} where workspace_id = ${id}`
  const body = { name, ...QUOTAS, powerbi_dashboards: [one] }
  const [edited] = await afterWaiting(database.pool, editing, () => put(id, body))
  expect([edited?.status, edited?.body.config.powerbi_dashboards]).toEqual([200, [one]])
  const { body: read } = await admin<Workspace>('GET', `/api/v1/workspaces/${id}`)
  expect(read.config.powerbi_dashboards).toEqual([one])
})
