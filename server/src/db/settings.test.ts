import { PLATFORMS } from '@watchdesk/contract/enums'
import type { Page } from '@watchdesk/contract/page'
import { sourcesSheetKey, WEBSITE_CONFIG_DEFAULTS, type WebsiteConfig } from '@watchdesk/contract/website-config'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { expect, test } from 'vitest'
import { QUOTAS, useWatchdesk } from '../../test/helpers/watchdesk.ts'
import { WORKSPACE_CONFIG } from './settings.ts'

const watchdesk = useWatchdesk()
const CONFIG = '/api/v1/config/website_config'

const defaults = Object.entries(WORKSPACE_CONFIG).map(([field, value]) => ({ field, value }))
const configDefaults = Object.entries(WEBSITE_CONFIG_DEFAULTS).map(([field, value]) => ({ field, value }))

async function lastChanges() {
  const { body } = await watchdesk.admin<Page<{ changes: object }>>('GET', '/api/v1/audit/?page_size=1')
  return body.objects[0]?.changes
}

test.each(defaults)(
  'a workspace from before there was $field can be read, listed and edited',
  async ({ field, value }) => {
    const { admin, database } = watchdesk
    const { id, name } = await watchdesk.createWorkspace({ description: 'old', homepage: '/start' })
    await database.pool.query('update workspaces set config = config - $1 where id = $2', [field, id])
    const config: Workspace['config'] = {
      ...WORKSPACE_CONFIG,
      homepage: '/start',
      powerbi_dashboards: [],
      [field]: value,
    }

    const read = await admin<Workspace>('GET', `/api/v1/workspaces/${id}`)
    expect([read.status, read.body.config]).toEqual([200, config])
    const listed = await admin<Page<Workspace>>('GET', `/api/v1/workspaces/?search=${name}&sort=-id`)
    expect(listed.body.objects[0]?.config).toEqual(config)
    const body = { name, ...QUOTAS, description: 'new', homepage: config.homepage }
    const saved = await admin<Workspace>('PUT', `/api/v1/workspaces/${id}`, body)
    expect([saved.status, saved.body.config]).toEqual([200, config])
    expect(await lastChanges()).toEqual({ description: { before: 'old', after: 'new' } })
  },
)

test.each(configDefaults)(
  'a website config from before there was $field can be read and edited',
  async ({ field, value }) => {
    const { admin, database } = watchdesk
    const before = (await admin<WebsiteConfig>('GET', CONFIG)).body
    await database.pool.query('update website_config set values = values - $1', [field])
    const config = { ...before, [field]: value }
    const read = await admin<WebsiteConfig>('GET', CONFIG)
    expect([read.status, read.body]).toEqual([200, config])

    const other = field === 'sources_sheet_vk' ? 'sources_sheet_ok' : 'sources_sheet_vk'
    const change = { [other]: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms' }
    const saved = await admin<WebsiteConfig>('PATCH', CONFIG, change)
    expect([saved.status, saved.body]).toEqual([200, { ...config, ...change }])
    expect(await lastChanges()).toEqual({ [other]: { before: config[other], after: change[other] } })
    await database.pool.query('update website_config set values = $1', [JSON.stringify(before)])
  },
)

test.each(PLATFORMS)(
  'sources of %s are exported and imported where the config is older than that platform',
  async (platform) => {
    const { admin, database } = watchdesk
    await database.pool.query('update website_config set values = values - $1', [sourcesSheetKey(platform)])
    const imported = await admin('POST', '/api/v1/source_management/import', { platform, type: 'import' })
    expect([imported.status, imported.body.import_status]).toEqual([200, 'FAILED'])
    const exported = await admin('POST', '/api/v1/source_management/export', { platform, type: 'export' })
    expect([exported.status, exported.body.export_status]).toEqual([200, 'SUCCESS'])
    const { body } = await admin<WebsiteConfig>('GET', CONFIG)
    const sheet = body[sourcesSheetKey(platform)]
    expect(sheet).toMatch(/\/sheets\/\d+$/)
    expect(String(exported.body.created_sheet_url).endsWith(sheet)).toBe(true)
  },
)

test('a narrative is vectorized where neither workspace nor config knows of models yet', async () => {
  const { admin, database } = watchdesk
  await database.pool.query('insert into narratives (id) values (1)')
  await database.pool.query(`update workspaces set config = config - 'stories_vectors_model'`)
  const body = { narrative_id: 1, platforms: [], content_types: [] }
  expect((await admin('POST', '/api/v1/airflow/vectorize-narrative', body)).status).toBe(200)
  await database.pool.query(`update website_config set values = values - 'default_stories_vectors_model'`)
  expect((await admin('POST', '/api/v1/airflow/vectorize-narrative', body)).status).toBe(409)
})

test('settings of a later release are not returned, and cause no errors', async () => {
  const { admin, database } = watchdesk
  const { id } = await watchdesk.createWorkspace()
  await database.pool.query(`update workspaces set config = config || '{"later": {"a": 1}}'`)
  await database.pool.query(`update website_config set values = values || '{"later": 1}'`)
  const read = await admin<Workspace>('GET', `/api/v1/workspaces/${id}`)
  expect([read.status, read.body.config]).toEqual([200, { ...WORKSPACE_CONFIG, powerbi_dashboards: [] }])
  expect(Object.keys((await admin('GET', CONFIG)).body).sort()).toEqual(Object.keys(WEBSITE_CONFIG_DEFAULTS).sort())
  const body = { name: 'Later', ...QUOTAS }
  expect((await admin('PUT', `/api/v1/workspaces/${id}`, body)).status).toBe(200)
  expect((await admin('PATCH', CONFIG, { sources_sheet_ok: '' })).status).toBe(200)
})
