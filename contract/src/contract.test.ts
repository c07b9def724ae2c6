import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Endpoint, EndpointSchema } from './endpoint.ts'
import * as enums from './enums.ts'
import * as limits from './limits.ts'
import { SourcesExportRequest, SourcesImportRequest } from './source-management.schema.ts'
import { STORIES_COLUMNS } from './stories-import.ts'
import { USER_DEFAULTS } from './users.ts'
import { WorkspaceBody } from './workspaces.schema.ts'

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)
const plain = files.filter((file) => !file.endsWith('.schema.ts'))

function isEndpoint(entry: [string, unknown]): entry is [string, Endpoint] {
  const [, value] = entry
  return typeof value === 'object' && value !== null && 'method' in value && 'url' in value
}

async function endpointsIn(file: string) {
  const endpoints = Object.entries<unknown>(await import(`./${file}`)).filter(isEndpoint)
  if (endpoints.length === 0) return []
  const schemas: Record<string, EndpointSchema> = await import(`./${file.replace('.ts', '.schema.ts')}`)
  return endpoints.map(([name, endpoint]) => ({
    ...endpoint,
    responses: Object.keys(schemas[name]?.response ?? {}),
    fields: Object.keys(Reflect.get(schemas[name]?.body ?? {}, 'shape') ?? {}),
  }))
}

const endpoints = (await Promise.all(plain.map(endpointsIn))).flat()
const find = (method: string, url: string) => endpoints.filter((one) => one.method === method && one.url === url)

/** The specified calls, with their timeouts in seconds. */
const CALLS = [
  ['POST', '/api/v1/login'],
  ['GET', '/api/v1/users/me'],
  ['GET', '/api/v1/users/'],
  ['GET', '/api/v1/users/:id'],
  ['POST', '/api/v1/users/'],
  ['PATCH', '/api/v1/users/:id'],
  ['DELETE', '/api/v1/users/:id'],
  ['GET', '/api/v1/workspaces/'],
  ['GET', '/api/v1/workspaces/:id'],
  ['POST', '/api/v1/workspaces/'],
  ['PUT', '/api/v1/workspaces/:id'],
  ['DELETE', '/api/v1/workspaces/:id'],
  ['GET', '/api/v1/config/available_roles'],
  ['GET', '/api/v1/config/all_roles'],
  ['GET', '/api/v1/config/all_featureflags'],
  ['GET', '/api/v1/config/case_types'],
  ['GET', '/api/v1/config/vectorization_models'],
  ['GET', '/api/v1/config/website_config'],
  ['PATCH', '/api/v1/config/website_config'],
  ['GET', '/api/v1/powerbi_dashboards/'],
  ['GET', '/api/v1/powerbi_dashboards/:id'],
  ['POST', '/api/v1/powerbi_dashboards/'],
  ['PATCH', '/api/v1/powerbi_dashboards/:id'],
  ['DELETE', '/api/v1/powerbi_dashboards/:id'],
  ['POST', '/api/v1/source_management/export', 120],
  ['POST', '/api/v1/source_management/import', 120],
  ['POST', '/api/v1/source_import/sources', 120],
  ['POST', '/api/v1/stories-import/from-file', 300],
  ['POST', '/api/v1/airflow/vectorize-narrative', 30],
  ['GET', '/api/v1/airflow/vectorize-narrative/:execution_date', 30],
] as const

describe('the calls', () => {
  test.each(CALLS)('%s %s exists once, with its time-out', (method, url, seconds?: number) => {
    const [endpoint, ...more] = find(method, url)
    expect(more).toEqual([])
    expect(endpoint?.config.timeout_ms).toBe(seconds === undefined ? undefined : seconds * 1000)
  })

  test('all need a token except the login, and each has one success response', () => {
    const open = endpoints.filter(({ config }) => config.access === 'public')
    expect(open.map(({ url }) => url).filter((url) => !/^\/api\/v1\/login(\/|$)/.test(url))).toEqual([])
    const statuses = endpoints.map(({ responses }) => responses)
    expect(statuses.filter((one) => one.length !== 1 || !/^20[0124]$/.test(String(one[0])))).toEqual([])
  })

  test('those that may take long, or hash a password, are limited per user', () => {
    const exceptions = [
      // The console repeats it while a run is at work. The time is for Airflow.
      '/api/v1/airflow/vectorize-narrative/:execution_date',
      // Airflow repeats it until the run is finished. One batch of a run is at work at a time.
      '/api/v1/airflow/vectorize-narrative/:execution_date/batch',
    ]
    const costly = endpoints.filter(
      ({ config, fields }) => config.timeout_ms !== undefined || fields.some((field) => /password$/.test(field)),
    )
    // The others are limited by address, or by how many run at once.
    const unlimited = costly.filter(
      ({ config: { access, is_expensive, needs_slot } }) =>
        !is_expensive && !needs_slot && access !== 'public' && access !== 'signing_in',
    )
    expect(unlimited.map(({ url }) => url).sort()).toEqual(exceptions)
    expect(costly.length).toBeGreaterThan(25)
  })

  test('create returns 201, delete 204', () => {
    const of = (method: string) => endpoints.filter((one) => one.method === method)
    const creates = of('POST').filter(({ url }) => /(users|workspaces|powerbi_dashboards)\/$/.test(url))
    expect(creates.map(({ responses }) => responses)).toEqual([['201'], ['201'], ['201']])
    expect(new Set(of('DELETE').flatMap(({ responses }) => responses))).toEqual(new Set(['204']))
  })

  test('file uploads are multipart forms', () => {
    const forms = endpoints.filter(({ config }) => config.content_type === 'multipart/form-data')
    expect(forms.map(({ url }) => url)).toEqual([
      '/api/v1/source_import/jobs',
      '/api/v1/stories-import/jobs',
      '/api/v1/sheets/:id/file',
      '/api/v1/stories-import/from-file',
    ])
  })
})

test('the enumerations are those of the specification, in its order', () => {
  expect(enums.PLATFORMS.join(', ')).toBe('TELEGRAM, OK, VK, TWITTER, WEB, FACEBOOK, ADMIXER, YOUTUBE, TIKTOK')
  expect(enums.CONTENT_TYPES.join(', ')).toBe('POST, ARTICLE, MESSAGE, COMMENT, VIDEO, REPOST, AD')
  expect(enums.USER_TYPES).toEqual(['UNDERPRIVILEGED', 'STANDARD', 'MODERATOR'])
  expect(USER_DEFAULTS).toEqual({ is_admin: false, is_super_admin: false, type: 'STANDARD', language: '' })
  expect([...enums.LANGUAGES].sort()).toEqual(['', 'EN', 'UK'])
  expect(enums.WORKSPACE_STATUSES.join(', ')).toBe(
    'INTERNAL, DEACTIVATED, TRIAL, FREE_ACCESS, PAID_CLIENT, PAID_CLIENT_UCBI, PAID_CLIENT_I3',
  )
  expect(limits.IMPORTABLE_PLATFORMS).toEqual(['TELEGRAM', 'FACEBOOK', 'TWITTER', 'TIKTOK', 'YOUTUBE'])
  expect([SourcesImportRequest, SourcesExportRequest].map(({ shape }) => shape.type.value)).toEqual([
    'import',
    'export',
  ])
  expect(STORIES_COLUMNS).toEqual(['narrative_id', 'message_composite_id', 'story', 'sentiment_score'])
})

test('the limits are those of the specification', () => {
  expect(limits).toMatchObject({
    PAGE_SIZE: 20,
    USER_FORM_WORKSPACES: 100,
    MAX_PAGE_SIZE: 100,
    SIMILARITY: { min: 0, max: 1, step: 0.05 },
    GENERATED_PASSWORD_LENGTH: 17,
    MISMATCHING_ROWS_LISTED: 10,
    PAGINATION: { range: 3, margin: 1 },
    TIMEOUT_MS: { sources: 120_000, stories: 300_000, vectorization: 30_000 },
  })
  const characters = [...limits.GENERATED_PASSWORD_CHARACTERS]
  expect(characters.filter((one) => !/[A-Za-z0-9!@#$%^&*()]/.test(one))).toEqual([])
  expect(new Set(characters).size).toBe(26 + 26 + 10 + 10)
})

test('the workspace body has the fields of the specification', () => {
  const fields = `name description featureflags roles search_term_index_override vectorized_index_override
     keywords_parser_class language is_ucbi_reporter is_ucbi_admin search_similarity_threshold
     narratives_similarity_threshold is_reporter_only_user stories_vectors_model available_case_types powerbi_dashboards
     status homepage trial_end_date analytical_quota ai_quota`
  expect(Object.keys(WorkspaceBody.shape)).toEqual(expect.arrayContaining(fields.split(/\s+/)))
})

test.each(plain)('%s does not import zod, so that API clients do not load it', (file) => {
  const code = readFileSync(join(import.meta.dirname, file), 'utf8').replace(/^(import|export) type [^']*'.*$/gm, '')
  expect(code).not.toMatch(/from '(zod|.*\.schema\.ts)'/)
})
