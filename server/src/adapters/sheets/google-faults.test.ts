import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fault, openGoogle, startGoogle } from '../../../test/helpers/google.ts'
import { newTab } from '../../../test/helpers/google-documents.ts'
import type { GoogleSettings } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const google = await startGoogle()
afterAll(() => google.stop())
beforeEach(() => google.calm())

const { email } = google.account
const actor = { email: 'olena@example.com' }
const sheetsWith = (options: Partial<GoogleSettings> = {}) =>
  openGoogle(google.account, {
    ...google.settings,
    readMs: 20_000,
    createMs: 20_000,
    limitBytes: 2 ** 20,
    ...options,
  })
const shared = google.add({ readers: new Set([email, 'anyone']), tabs: [newTab([['source_url'], ['https://t.me/x']])] })

const create = (options: Partial<GoogleSettings> = {}) =>
  sheetsWith(options).create({ header: ['a'], rows: [['1'], ['2']] }, actor.email)
const read = (options: Partial<GoogleSettings> = {}) => sheetsWith(options).read(shared.id)
const download = (options: Partial<GoogleSettings> = {}) =>
  openGoogle(undefined, { ...google.settings, limitBytes: 2 ** 20, ...options }).read(shared.id)

const TIMED_OUT = 'Google Sheets did not answer in time. Try again later.'
const UNREACHABLE = 'Google Sheets cannot be reached. Try again later.'
const UNEXPECTED = 'Google Sheets sent a response that cannot be read. Try again later.'
const BROKEN = 'Google Sheets is not available right now (500). Try again later.'
const BUSY = 'Google Sheets is receiving too many requests. Try again in a minute.'
const TOO_LARGE = 'The sheet is larger than 1 MB. Split it into smaller ones.'

const FAULTS: [Fault, string][] = [
  ['hang', TIMED_OUT],
  ['drop', UNREACHABLE],
  ['bad JSON', UNEXPECTED],
  ['endless', TOO_LARGE],
  [{ status: 500 }, BROKEN],
  [{ status: 429 }, BUSY],
]
const rate = {
  error: { code: 403, message: 'x', errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }] },
}

async function failure(work: Promise<unknown>) {
  const error = await work.then(
    () => expect.unreachable('it worked'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SheetError)
  return (error as Error).message
}

describe.each(FAULTS)('a service that answers with %j', (fault, text) => {
  // Where nothing comes, the time is what ends it: enough to get there, for those that must.
  const soon = fault === 'hang' ? { readMs: 300, createMs: 300 } : {}
  const later = fault === 'hang' ? { createMs: 2000 } : {}

  test('while a sheet is looked up', async () => {
    google.fail(/GET \/v4\/spreadsheets\/[\w-]+\?/, fault)
    expect(await failure(read(soon))).toBe(text)
  })

  test('while its rows are read', async () => {
    google.fail(/GET .*\/values\//, fault)
    expect(await failure(read(soon))).toBe(text)
  })

  test('while a token is asked for', async () => {
    google.fail(/POST \/token/, fault === 'hang' ? 'drop' : fault)
    const expected = { hang: UNREACHABLE, endless: expect.stringContaining('larger than') } as Record<string, unknown>
    expect(await failure(read())).toEqual(expected[String(fault)] ?? text)
  })

  test('while a link-shared sheet is downloaded', async () => {
    google.fail(/GET \/export\//, fault)
    expect(await failure(download(soon))).toBe(text)
  })

  test('while a sheet is created', async () => {
    google.fail(/POST \/v4\/spreadsheets\?/, fault)
    expect(await failure(create(soon))).toBe(text)
  })

  test.each([/PUT .*\/values\//, /POST .*\/permissions/])(
    'while it goes on at %s: the half-made one is deleted',
    async (match) => {
      const before = google.state.documents.size
      google.fail(match, fault)
      expect(await failure(create(later))).toBe(text)
      expect(google.lines().at(-1)).toMatch(/^DELETE \/drive\/v3\/files\//)
      expect(google.state.documents.size).toBe(before)
    },
  )
})

describe('a busy service', () => {
  test.each<[string, Fault]>([
    ['429', { status: 429 }],
    ['503', { status: 503 }],
    ['500', { status: 500 }],
    ['a rate limit of Drive', { status: 403, body: rate }],
    ['a connection that ends', 'drop'],
  ])('that is fine after %s is asked again', async (_name, fault) => {
    google.fail(/values/, fault, 1)
    expect((await read()).rows.length).toBe(1)
    google.calm()
    google.fail(/spreadsheets/, fault, 1)
    expect((await download()).rows.length).toBe(1)
  })

  test('is asked five times at most', async () => {
    google.fail(/values/, { status: 429 })
    await failure(read())
    expect(google.lines().filter((line) => line.includes('values')).length).toBe(5)
  })

  test('with Retry-After is not called for that long', async () => {
    google.fail(/values/, { status: 429, headers: { 'retry-after': '1' } }, 1)
    const start = performance.now()
    expect((await read({ readMs: 20_000 })).rows.length).toBe(1)
    expect(performance.now() - start).toBeGreaterThan(990)
  })

  test('with a Retry-After beyond our timeout fails immediately', async () => {
    google.fail(/values/, { status: 429, headers: { 'retry-after': '60' } })
    expect(await failure(read({ readMs: 30_000 }))).toBe(BUSY)
    expect(google.lines().filter((line) => line.includes('values')).length).toBe(1)
  })

  test('creates no second sheet after a failure that may have created one', async () => {
    google.fail(/POST \/v4\/spreadsheets\?/, { status: 500 })
    await failure(create())
    expect(google.lines().filter((line) => line.startsWith('POST /v4/')).length).toBe(1)
  })

  test('shares a sheet after a moment', async () => {
    google.fail(/permissions/, { status: 403, body: rate }, 2)
    expect(google.state.documents.get((await create()).id)?.readers).toContain(actor.email)
  })
})

test('an incomplete sheet on a shared drive is moved to the trash', async () => {
  google.state.folders.add('0AFolderOfASharedDrive')
  google.fail(/^PUT /, { status: 400 })
  await failure(create({ folder: '0AFolderOfASharedDrive' }))
  expect([...google.state.documents.values()].at(-1)).toMatchObject({ isTrashed: true })
})

test('a failed cleanup keeps the first error', async () => {
  google.fail(/^PUT /, { status: 400, body: { error: { code: 400, message: 'x', status: 'INVALID_ARGUMENT' } } })
  google.fail(/^DELETE /, { status: 404 })
  expect(await failure(create())).toBe('Google Sheets refused the request (400, INVALID_ARGUMENT).')
})

test('an address that Google cannot share with is reported, and nothing remains', async () => {
  google.fail(/permissions/, {
    status: 400,
    body: { error: { code: 400, errors: [{ reason: 'invalidSharingRequest' }] } },
  })
  expect(await failure(create())).toBe(
    `Google did not share the sheet with ${actor.email}. Check that this address has a Google account.`,
  )
  expect(google.lines().at(-1)).toMatch(/^DELETE/)
})

test('an API that is not enabled is an error for the operator', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED' }]
  google.fail(/\/v4\//, { status: 403, body: { error: { code: 403, status: 'PERMISSION_DENIED', details } } })
  expect(await failure(read())).toBe(
    `Ask your administrator to enable the Google Sheets API and the Google Drive API for ${email}.`,
  )
})

test('an aborted call stops the work', async () => {
  google.fail(/values/, 'hang')
  const controller = new AbortController()
  const reading = sheetsWith({ readMs: 30_000 }).read(shared.id, controller.signal)
  controller.abort()
  expect(await failure(reading)).toBe(TIMED_OUT)
})

describe('what Google says', () => {
  const leaks: string[] = []
  afterEach(() => expect(leaks.filter((text) => /ya29|eyJ|Bearer|PRIVATE/.test(text))).toEqual([]))

  test.each([400, 401, 403, 404, 409, 429, 500])('with %i never repeats a token', async (status) => {
    const text = 'Bearer ya29.secret eyJhbGciOi'
    google.fail(/\/(v4|token|drive|spreadsheets)/, {
      status,
      body: { error: { status: text, message: text, errors: [{ reason: text }] } },
    })
    leaks.push(await failure(read()), await failure(create()), await failure(download()))
  })
})

test('a service that cannot be reached', async () => {
  const gone = await startGoogle()
  await gone.stop()
  expect(await failure(openGoogle(gone.account, gone.settings).read(shared.id))).toBe(UNREACHABLE)
  expect(await failure(openGoogle(undefined, gone.settings).read(shared.id))).toBe(UNREACHABLE)
})
