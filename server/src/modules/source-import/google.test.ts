import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import type { SourcesExportResult, SourcesImportResult } from '@watchdesk/contract/source-management'
import type { WebsiteConfig } from '@watchdesk/contract/website-config'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Google, startGoogle } from '../../../test/helpers/google.ts'
import { newTab } from '../../../test/helpers/google-documents.ts'
import { hostileAddresses } from '../../../test/helpers/hostile-addresses.ts'
import { postJob, SOURCE_JOBS, sourceCsv, untilJob } from '../../../test/helpers/jobs.ts'
import { waitForLocks } from '../../../test/helpers/locks.ts'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { ADMIN, type Caller, caller, useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { createSheets } from '../../adapters/sheets/open.ts'
import { buildApp } from '../../app.ts'
import { createJobs } from '../../jobs/jobs.ts'
import { uploadsDir } from '../../plugins/upload-files.ts'
import { sourceImportJob } from './store.ts'

const watchdesk = useWatchdesk()
let google: Google
let folder: string
let file: string
/** The same server, with and without a service account. */
let withAccount: Caller
let without: Caller

beforeAll(async () => {
  google = await startGoogle()
  folder = await mkdtemp(join(tmpdir(), 'watchdesk-google-'))
  file = join(folder, 'key.json')
  const key = {
    type: 'service_account',
    client_email: google.account.email,
    private_key: google.account.key.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'https://oauth2.googleapis.com/token',
  }
  await writeFile(file, JSON.stringify(key))
  withAccount = await callerWith({ GOOGLE_APPLICATION_CREDENTIALS: file })
  without = await callerWith({})
})
afterAll(async () => {
  await google.stop()
  await rm(folder, { recursive: true })
})
beforeEach(() => google.calm())

type Settings = { GOOGLE_APPLICATION_CREDENTIALS?: string }

function sheetsWith(settings: Settings) {
  const { deps, database } = watchdesk
  const options = { ...google.settings, token: `${google.origin}/token` }
  return createSheets(database.db, { ...deps.env, ...settings }, options)
}

async function callerWith(settings: Settings, token = watchdesk.admin.token) {
  const sheets = await sheetsWith(settings)
  return caller(await buildApp({ ...watchdesk.deps, sheets }), token)
}

/** Carries out jobs, with a service account. */
async function startJobs() {
  const { db, rights, env, semaphores } = watchdesk.deps
  const sheets = await sheetsWith({ GOOGLE_APPLICATION_CREDENTIALS: file })
  const kinds = [sourceImportJob({ rights, sheets, verify: async () => null })]
  const jobs = createJobs({ db, rights, kinds, semaphore: semaphores.imports, dir: uploadsDir(env.DATA_DIR) })
  jobs.start(() => {})
  return jobs
}

async function importFrom(by: Caller, sheet_url: string) {
  const body = { email: ADMIN.email, sheet_url, sheet_records: null }
  return by<SourceImportResult>('POST', '/api/v1/source_import/sources', body)
}

const addressOf = (id: string) => `https://docs.google.com/spreadsheets/d/${id}/edit`
const documentAt = (url: string | null) => google.state.documents.get(url?.split('/').at(-2) ?? '')
const stored = async () =>
  (await watchdesk.database.db.selectFrom('sources').select('url').orderBy('id').execute()).map(({ url }) => url)
const listOf = (...urls: string[]) => [newTab([['source_url', 'source_country'], ...urls.map((url) => [url, 'UA'])])]

describe('with a service account', () => {
  test('the form gets its email address', async () => {
    const { body } = await withAccount('GET', '/api/v1/source_import/service_account')
    expect(body).toEqual({ email: google.account.email })
  })

  test('nothing is created at Google for a caller who has lost access in the meantime', async () => {
    const { admin, database } = watchdesk
    const { id, email } = await insertUser(watchdesk, { workspace_id: 1, is_super_admin: true })
    const by = await callerWith({ GOOGLE_APPLICATION_CREDENTIALS: file }, (await openSession(watchdesk, id)).token)
    const before = google.state.documents.size
    const client = await database.pool.connect()
    try {
      await client.query(`begin; insert into sources (platform, url) values ('TELEGRAM', 'https://t.me/held')`)
      const sheet_records = [{ source_url: 'https://t.me/held' }]
      const response = by('POST', '/api/v1/source_import/sources', { email, sheet_url: null, sheet_records })
      await waitForLocks(database.pool)
      await admin('DELETE', `/api/v1/users/${id}`)
      await client.query('rollback')
      expect((await response).status).toBe(401)
    } finally {
      client.release()
    }
    expect(google.state.documents.size).toBe(before)
    expect(await stored()).not.toContain('https://t.me/held')
  })

  test('a job creates a spreadsheet too, although its owner has no session', async () => {
    const jobs = await startJobs()
    const { body } = await postJob(watchdesk.admin, SOURCE_JOBS, sourceCsv(2, 'in_background'))
    const { error, sources } = await untilJob(watchdesk, body.id)
    await jobs.stop()
    expect(error).toBeNull()
    expect(documentAt(sources?.created_sheet_url ?? null)).toBeDefined()
  })

  test('a shared spreadsheet is imported, and the result is a spreadsheet shared with the caller', async () => {
    const tabs = listOf('https://t.me/from_google', '', 'https://example.com/x')
    const { id } = google.add({ readers: new Set([google.account.email]), tabs })
    const { body } = await importFrom(withAccount, addressOf(id))
    expect(body).toMatchObject({ error_message: null, requested_count: 1, inputs_count: 3 })
    expect(body.created_sheet_url).toMatch(/^https:\/\/docs\.google\.com\/spreadsheets\/d\/[\w-]+\/edit$/)
    const result = documentAt(body.created_sheet_url)
    expect(result?.readers).toContain(ADMIN.email)
    expect(result?.tabs[0]?.cells).toEqual([
      ['row', 'source_url', 'source_country', 'platform', 'outcome'],
      ['2', 'https://t.me/from_google', 'UA', 'TELEGRAM', 'requested'],
      ['3', '', 'UA', '', 'invalid URL'],
      ['4', 'https://example.com/x', 'UA', '', 'unsupported platform'],
    ])
    expect(await stored()).toContain('https://t.me/from_google')
  })

  test('one that is not shared fails with the address to share it with', async () => {
    const { body } = await importFrom(withAccount, addressOf(google.add({}).id))
    expect(body).toEqual({
      error_message: `Share the sheet with ${google.account.email} and try again.`,
      requested_count: 0,
      inputs_count: 0,
      created_sheet_url: null,
    })
  })

  test('nothing is imported if the result cannot be written, and no partial result remains', async () => {
    const tabs = listOf('https://t.me/never_imported')
    const { id } = google.add({ readers: new Set([google.account.email]), tabs })
    const before = [...google.state.documents.keys()]
    google.fail(/^PUT /, { status: 500 })
    const { body } = await importFrom(withAccount, addressOf(id))
    expect(body.error_message).toBe('Google Sheets is not available right now (500). Try again later.')
    expect(await stored()).not.toContain('https://t.me/never_imported')
    expect([...google.state.documents.keys()]).toEqual(before)
  })

  test('export, edit in Google Sheets, import by platform', async () => {
    const { id } = google.add({ readers: new Set([google.account.email]), tabs: listOf('https://t.me/exported') })
    await importFrom(withAccount, addressOf(id))
    const request = { platform: 'TELEGRAM', type: 'export' }
    const exported = await withAccount<SourcesExportResult>('POST', '/api/v1/source_management/export', request)
    expect(exported.body).toMatchObject({ export_status: 'SUCCESS', error_message: null })
    const config = await withAccount<WebsiteConfig>('GET', '/api/v1/config/website_config')
    expect(config.body.sources_sheet_telegram).toBe(exported.body.created_sheet_url)

    const document = documentAt(exported.body.created_sheet_url)
    document?.tabs[0]?.cells.splice(1, 0, ['https://t.me/added_by_hand', 'PL', ''])
    if (document?.tabs[0]) document.tabs[0].rowCount += 1
    const imported = await withAccount<SourcesImportResult>('POST', '/api/v1/source_management/import', {
      ...request,
      type: 'import',
    })
    expect(imported.body).toMatchObject({
      import_status: 'SUCCESS',
      sheet_id: document?.id,
      created_count: 1,
      unchanged_count: exported.body.exported_count,
    })
    expect(await stored()).toContain('https://t.me/added_by_hand')
  })
})

describe('without one', () => {
  test('a link-shared spreadsheet is imported, and the result is a Watchdesk sheet', async () => {
    const { id } = google.add({ readers: new Set(['anyone']), tabs: listOf('https://t.me/link_shared') })
    const { body } = await importFrom(without, `${addressOf(id)}?usp=sharing#gid=0`)
    expect(body).toMatchObject({ error_message: null, requested_count: 1, inputs_count: 1 })
    expect(body.created_sheet_url).toMatch(/^http:\/\/localhost\/sheets\/\d+$/)
    expect(await stored()).toContain('https://t.me/link_shared')
  })

  test('one that is not shared fails with how to share it', async () => {
    const { body } = await importFrom(without, addressOf(google.add({}).id))
    expect(body.error_message).toBe(
      'This sheet is not shared. Set its sharing to “Anyone with the link” and try again.',
    )
  })
})

test('the server sends requests only for addresses of spreadsheets', async () => {
  let hits = 0
  const server = createServer((_request, response) => {
    hits += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const before = await stored()
  for (const address of hostileAddresses((server.address() as AddressInfo).port)) {
    for (const by of [withAccount, without]) {
      const { status, body } = await importFrom(by, address)
      if (status !== 422)
        expect([address, body.error_message]).toEqual([
          address,
          expect.stringContaining('is not the complete URL of a sheet'),
        ])
    }
  }
  expect(hits).toBe(0)
  expect(google.lines()).toEqual([])
  expect(await stored()).toEqual(before)
  server.close()
})
