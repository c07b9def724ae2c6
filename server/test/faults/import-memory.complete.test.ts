import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FORM_TYPE, multipart } from '../helpers/form.ts'
import { memoryFor } from '../helpers/memory.ts'
import { type Replica, startReplica } from '../helpers/replica.ts'
import { ADMIN, useWatchdesk } from '../helpers/watchdesk.ts'

const watchdesk = useWatchdesk()
const MB = 1_000_000
const SIZE = 60 * MB
const MAX_MB = 300
/** Two run at a time, so four take as much memory as the twenty of `npm run crash`. */
const LONG_ADDRESSES = Number(process.env.LONG_ADDRESSES ?? 4)

type Body = { method: string; path: string; type: string; bytes: Buffer }

const JSON_TYPE = 'application/json'
const IMPORT = '/api/v1/source_import/sources'

function records(make: (index: number) => string) {
  const parts = [`{"email":"${ADMIN.email}","sheet_url":null,"sheet_records":[`]
  for (let bytes = 0, index = 0; bytes < SIZE; index += 1) {
    const record = `${index === 0 ? '' : ','}${make(index)}`
    parts.push(record)
    bytes += record.length
  }
  return Buffer.from(`${parts.join('')}]}`)
}

const form = (header: string, row: string) => {
  const content = `${header}\n${`${row}\n`.repeat(Math.floor(SIZE / (row.length + 1)))}`
  return multipart([{ name: 'file', filename: 'a.csv', content }])
}

const story = (text: string) => form('narrative_id,message_composite_id,story,sentiment_score', `7,m,${text},0`)

const long = 'x'.repeat(3_000)
const post = (path: string, type: string, bytes: Buffer): Body => ({ method: 'POST', path, type, bytes })
const KINDS = {
  'long notes': () =>
    post(
      IMPORT,
      JSON_TYPE,
      records((n) => `{"source_url":"t.me/c${n}","note":"${long}"}`),
    ),
  brackets: () => post(IMPORT, JSON_TYPE, Buffer.alloc(SIZE, '[')),
  'long addresses': () =>
    post(
      IMPORT,
      JSON_TYPE,
      records(() => `{"source_url":"${long}"}`),
    ),
  stories: () => post('/api/v1/stories-import/from-file', FORM_TYPE, story('x'.repeat(90_000))),
  'a sheet': async () => {
    const { body } = await watchdesk.admin<{ created_sheet_url: string }>('POST', '/api/v1/source_management/export', {
      platform: 'VK',
      type: 'export',
    })
    const path = `/api/v1${new URL(body.created_sheet_url, 'http://watchdesk').pathname}/file`
    return { method: 'PUT', path, type: FORM_TYPE, bytes: form('a,b', `${'x'.repeat(30_000)},y`) }
  },
  'an import of all': () =>
    post('/api/v1/source_management/import', JSON_TYPE, Buffer.from('{"platform":"VK","type":"import"}')),
}

function send({ url }: Replica, { method, path, type, bytes }: Body) {
  return new Promise<number>((resolve) => {
    const headers = {
      authorization: `Bearer ${watchdesk.admin.token}`,
      'content-type': type,
      'content-length': bytes.length,
      expect: '100-continue',
    }
    const call = request(url + path, { method, headers, agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    call.once('continue', () => call.end(bytes))
    call.once('error', () => resolve(0))
    call.flushHeaders()
  })
}

describe.runIf(process.platform === 'linux')('concurrent imports of the largest size', () => {
  test.each([
    [20, 'of all kinds', Object.values(KINDS)],
    // These take the most memory for the longest time.
    [LONG_ADDRESSES, 'of long addresses alone', [KINDS['long addresses']]],
  ])(
    `%i %s take less than ${MAX_MB} MB, and each succeeds or is rejected`,
    { timeout: 240_000 },
    async (count, _, kinds) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'watchdesk-memory-'))
      const replica = await startReplica(watchdesk, { DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
      try {
        const bodies = await Promise.all(kinds.map((make) => make()))
        await send(replica, { method: 'POST', path: IMPORT, type: JSON_TYPE, bytes: Buffer.from('{}') })
        let statuses: number[] = []
        const memory = await memoryFor(replica.pid, async () => {
          const calls = Array.from({ length: count }, (_, index) => bodies[index % bodies.length] as Body)
          statuses = await Promise.all(calls.map((call) => send(replica, call)))
        })
        console.log(`${memory} MB more for ${statuses.length} imports, answered ${statuses.join(' ')}`)
        for (const status of statuses) expect([200, 400, 503]).toContain(status)
        expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(Math.min(count - 1, 5))
        expect(memory).toBeLessThan(MAX_MB)
      } finally {
        await replica.stop()
        await rm(dataDir, { recursive: true })
      }
    },
  )
})
