import { errorText } from '@watchdesk/contract/errors'
import type { Run } from '@watchdesk/contract/narratives-vectorization'
import type { Page } from '@watchdesk/contract/page'
import { beforeAll, describe, expect, test } from 'vitest'
import { insertNarrative } from '../../../test/helpers/narratives.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'

const URL = '/api/v1/airflow/vectorize-narrative'
const BODY = { narrative_id: 1, platforms: ['TELEGRAM'], content_types: ['POST', 'COMMENT'] }

const watchdesk = useWatchdesk()

beforeAll(() => insertNarrative(watchdesk, 1, [{ story: 'The bridge is closed again' }]))

function trigger(body: object = BODY, headers: Record<string, string> = {}) {
  return watchdesk.admin<{ execution_date: string }>('POST', URL, body, headers)
}

async function latest(count = 1) {
  return (await watchdesk.admin<Page<Run>>('GET', `${URL}?page_size=${count}`)).body
}

describe('a trigger', () => {
  test('saves a queued run and returns its execution date', async () => {
    const { status, body } = await trigger()
    expect(status).toBe(200)
    expect(body).toEqual({ execution_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) })
    expect((await latest()).objects).toEqual([
      {
        ...BODY,
        ...body,
        id: expect.any(Number),
        model: 'lexical',
        status: 'queued',
        runner: 'server',
        stories_count: null,
        done_count: 0,
        error: null,
        created_by: { id: 1, name: 'Super Admin' },
        created_at: expect.any(String),
        started_at: null,
        finished_at: null,
      },
    ])
  })

  test('creates an audit event', async () => {
    const { body } = await trigger()
    const run = (await latest()).objects[0]
    const events = await watchdesk.admin('GET', `/api/v1/audit/?entity=vectorization&entity_id=${run?.id}`)
    expect(events.body).toMatchObject({
      objects: [{ action: 'create', changes: { execution_date: { after: body.execution_date } } }],
      next: null,
    })
  })

  test('of an unknown narrative is 404 and saves nothing', async () => {
    const before = (await latest()).total
    const { status, body } = await trigger({ ...BODY, narrative_id: 77 })
    expect([status, errorText(body)]).toEqual([404, 'Narrative not found.'])
    expect((await latest()).total).toBe(before)
  })

  test.each([
    [{ narrative_id: undefined }, 'Narrative id is required'],
    [{ narrative_id: null }, 'Narrative id is required'],
    [{ platforms: ['MYSPACE'] }, /^platforms: Invalid option/],
    [{ content_types: ['SONG'] }, /^content_types: Invalid option/],
    [{ platforms: ['VK', 'VK'] }, 'The list contains the same entry twice.'],
  ])('with %j is 422', async (change, message) => {
    const { status, body } = await trigger({ ...BODY, ...change })
    expect(status).toBe(422)
    expect(errorText(body)).toMatch(message)
  })

  test('gets a unique date, however many arrive in the same millisecond', async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => trigger()))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(responses.map(({ body }) => body.execution_date)).size).toBe(30)
  })

  test('sent twice with the same key, sequentially or concurrently, is one run', async () => {
    const before = (await latest()).total
    const headers = { 'idempotency-key': 'trigger-0001' }
    const responses = await Promise.all(Array.from({ length: 8 }, () => trigger(BODY, headers)))
    responses.push(await trigger(BODY, headers))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(responses.map(({ body }) => body.execution_date)).size).toBe(1)
    expect((await latest()).total).toBe(before + 1)
    const other = await trigger({ ...BODY, platforms: [] }, headers)
    expect(other.status).toBe(422)
  })
})

describe('the status', () => {
  test('is found by every notation of the same time', async () => {
    const { execution_date } = (await trigger()).body
    const kyiv = new Date(Date.parse(execution_date) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
    const micro = execution_date.replace('Z', '000Z')
    for (const spelling of [execution_date, kyiv, micro]) {
      const response = await watchdesk.admin('GET', `${URL}/${encodeURIComponent(spelling)}`)
      expect([response.status, response.body]).toEqual([200, { status: 'queued', error: null }])
    }
  })

  test('of an unknown run is 404', async () => {
    const { status, body } = await watchdesk.admin('GET', `${URL}/2020-01-01T00:00:00.000Z`)
    expect([status, errorText(body)]).toEqual([404, 'Vectorization run not found.'])
  })

  test.each([
    'yesterday',
    '2026-11-15',
    '2026-13-01T00:00:00Z',
    '2026-11-15T09:30:00',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '..%2f..%2fdags',
    '2026-11-15T09:30:00Z%00',
    '2026-11-15T09:30:00Z%0d%0aX:1',
    '1; drop table vectorization_runs',
  ])('of the malformed date %s is 422', async (date) => {
    const { status, body } = await watchdesk.admin('GET', `${URL}/${date}`)
    expect([status, errorText(body)]).toEqual([
      422,
      'Enter the execution date in this format: 2026-11-15T09:30:00.000Z.',
    ])
  })
})

test('runs are listed newest first, page by page, with their exact number', async () => {
  const dates = []
  for (let count = 0; count < 3; count += 1) dates.unshift((await trigger()).body.execution_date)
  const { objects, total, size } = await latest(3)
  expect(objects.map((run) => run.execution_date)).toEqual(dates)
  expect(size).toBe(3)
  const { rows } = await watchdesk.database.pool.query('select count(*)::int as count from vectorization_runs')
  expect(total).toBe(rows[0].count)
})
