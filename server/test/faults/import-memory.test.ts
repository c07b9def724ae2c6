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
const MOST_MB = 300

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

async function bodies(): Promise<Body[]> {
  const { body } = await watchdesk.admin<{ created_sheet_url: string }>('POST', '/api/v1/source_management/export', {
    platform: 'VK',
    type: 'export',
  })
  const sheet = `/api/v1${new URL(body.created_sheet_url, 'http://watchdesk').pathname}/file`
  const post = (path: string, type: string, bytes: Buffer) => ({ method: 'POST', path, type, bytes })
  const long = 'x'.repeat(3_000)
  const kinds = [
    post(
      IMPORT,
      JSON_TYPE,
      records((index) => `{"source_url":"t.me/c${index}","note":"${long}"}`),
    ),
    post(IMPORT, JSON_TYPE, Buffer.alloc(SIZE, '[')),
    post(
      IMPORT,
      JSON_TYPE,
      records(() => `{"source_url":"${long}"}`),
    ),
    post('/api/v1/stories-import/from-file', FORM_TYPE, story('x'.repeat(90_000))),
    { method: 'PUT', path: sheet, type: FORM_TYPE, bytes: form('a,b', `${'x'.repeat(30_000)},y`) },
    post('/api/v1/source_management/import', JSON_TYPE, Buffer.from('{"platform":"VK","type":"import"}')),
  ]
  return kinds
}

const twenty = (kinds: Body[]) => Array.from({ length: 20 }, (_, index) => kinds[index % kinds.length] as Body)

function send({ url }: Replica, { method, path, type, bytes }: Body) {
  return new Promise<number>((resolve) => {
    const headers = {
      authorization: `Bearer ${watchdesk.admin.token}`,
      'content-type': type,
      'content-length': bytes.length,
      expect: '100-continue',
    }
    const call = request(url + path, { method, headers, agent: false }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
    })
    call.once('continue', () => call.end(bytes))
    call.once('error', () => resolve(0))
    call.flushHeaders()
  })
}

describe.runIf(process.platform === 'linux')('twenty of the largest imports at once', () => {
  test.each([
    ['of all kinds', [0, 1, 2, 3, 4, 5]],
    // Of all kinds they take the most, for the longest time.
    ['of long addresses alone', [2]],
  ])(`%s take less than ${MOST_MB} MB, and each is carried out or refused`, { timeout: 240_000 }, async (_, chosen) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'watchdesk-memory-'))
    const replica = await startReplica(watchdesk, { DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
    try {
      const kinds = await bodies()
      const calls = twenty(chosen.map((index) => kinds[index] as Body))
      await send(replica, { method: 'POST', path: IMPORT, type: JSON_TYPE, bytes: Buffer.from('{}') })
      let statuses: number[] = []
      const memory = await memoryFor(replica.pid, async () => {
        statuses = await Promise.all(calls.map((call) => send(replica, call)))
      })
      console.log(`${memory} MB more for ${statuses.length} imports, answered ${statuses.join(' ')}`)
      for (const status of statuses) expect([200, 400, 503]).toContain(status)
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(5)
      expect(memory).toBeLessThan(MOST_MB)
    } finally {
      await replica.end('SIGTERM')
      await rm(dataDir, { recursive: true })
    }
  })
})
