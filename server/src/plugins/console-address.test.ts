import type { SourceImportResult } from '@watchdesk/contract/source-import'
import type { SourcesExportResult, SourcesImportResult } from '@watchdesk/contract/source-management'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import { expect, test } from 'vitest'
import { ADMIN, pathOf, useWatchdesk } from '../../test/helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const proxied = useWatchdesk({ TRUST_PROXY: '127.0.0.1' })
const named = useWatchdesk({ PUBLIC_URL: 'https://desk.example.com/' })

const IMPORT = '/api/v1/source_import/sources'
const BODY = { email: ADMIN.email, sheet_url: null, sheet_records: [{ source_url: 'https://t.me/one' }] }

async function created(headers: Record<string, string>, { admin } = watchdesk) {
  const { body } = await admin<SourceImportResult>('POST', IMPORT, BODY, headers)
  return body.created_sheet_url ?? ''
}

test.each([
  ['the host that was called', { host: 'desk.local:3000' }, 'http://desk.local:3000'],
  ['an IPv6 address', { host: '[::1]:3000' }, 'http://[::1]:3000'],
  ['where the console is open', { host: 'inside:3000', origin: 'https://desk.example' }, 'https://desk.example'],
  ['the host, where the page has no origin', { host: 'desk.local', origin: 'null' }, 'http://desk.local'],
  ['the host, not a forwarded one', { host: 'desk.local', 'x-forwarded-host': 'evil.example' }, 'http://desk.local'],
])('a created sheet has the address of %s', async (_, headers, origin) => {
  expect(await created(headers)).toMatch(new RegExp(`^${origin.replaceAll(/[[\]]/g, '\\$&')}/sheets/\\d+$`))
})

test('behind a trusted proxy it is the forwarded address, with PUBLIC_URL that one', async () => {
  const forwarded = { host: 'inside', 'x-forwarded-host': 'desk.example', 'x-forwarded-proto': 'https' }
  expect(await created(forwarded, proxied)).toMatch(/^https:\/\/desk\.example\/sheets\/\d+$/)
  expect(await created({ host: 'evil.example', origin: 'https://evil.example' }, named)).toMatch(
    /^https:\/\/desk\.example\.com\/sheets\/\d+$/,
  )
})

test.each(['desk.local/path?x=', 'user:secret@desk.local', 'desk local'])(
  'no address is made of the host %j',
  async (host) => {
    expect(await created({ host })).toMatch(/^\/sheets\/\d+$/)
  },
)

test('nothing that a caller claims to be is stored: not in the config, the audit, nor a response stored for retries', async () => {
  const evil = { host: 'evil.example', origin: 'https://evil.example' }
  const key = { 'idempotency-key': 'one-effect-only' }
  const first = await created({ ...evil, ...key })
  expect(first).toMatch(/^https:\/\/evil\.example/)
  expect(await created({ host: 'desk.local', ...key })).toBe(`http://desk.local${pathOf(first)}`)

  const platform = { platform: 'TELEGRAM', type: 'export' }
  await watchdesk.admin<SourcesExportResult>('POST', '/api/v1/source_management/export', platform, evil)
  const { body: config } = await watchdesk.admin<WebsiteConfig>('GET', '/api/v1/config/website_config')
  expect(config.sources_sheet_telegram).toMatch(/^\/sheets\/\d+$/)
  const { body: audit } = await watchdesk.admin('GET', '/api/v1/audit/')
  expect(JSON.stringify(audit)).not.toContain('evil.example')
})

test('the address of a created sheet can be set as the sheet of a platform, and is imported from', async () => {
  const headers = { host: 'desk.local:3000' }
  const body = { platform: 'VK', type: 'export' }
  const exported = await watchdesk.admin<SourcesExportResult>('POST', '/api/v1/source_management/export', body, headers)
  const address = exported.body.created_sheet_url ?? ''
  const patch = { sources_sheet_vk: address }
  const config = await watchdesk.admin<WebsiteConfig>('PATCH', '/api/v1/config/website_config', patch, headers)
  expect(config.body.sources_sheet_vk).toBe(pathOf(address))
  const again = { platform: 'VK', type: 'import' }
  const imported = await watchdesk.admin<SourcesImportResult>(
    'POST',
    '/api/v1/source_management/import',
    again,
    headers,
  )
  expect(imported.body).toMatchObject({ sheet_url: address })
})
