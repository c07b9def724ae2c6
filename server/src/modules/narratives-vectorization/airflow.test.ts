import { errorText } from '@watchdesk/contract/errors'
import type { Run, VectorizationBatch } from '@watchdesk/contract/narratives-vectorization'
import type { Page } from '@watchdesk/contract/page'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakeAirflow, startAirflow } from '../../../test/helpers/airflow.ts'
import { insertNarrative } from '../../../test/helpers/narratives.ts'
import { startWatchdesk, type Watchdesk } from '../../../test/helpers/watchdesk.ts'

const RUNS = '/api/v1/airflow/vectorize-narrative'
const BODY = { narrative_id: 1, platforms: ['TELEGRAM'], content_types: [] }
const STORIES = 300

describe.each(['2', '3'] as const)('with Airflow %s.x', (version) => {
  let airflow: FakeAirflow
  let watchdesk: Watchdesk
  let stop: () => Promise<void>
  const logged: string[] = []

  beforeAll(async () => {
    airflow = await startAirflow(version)
    const settings = {
      LOG_LEVEL: 'trace',
      AIRFLOW_URL: airflow.url,
      AIRFLOW_VERSION: version,
      AIRFLOW_USERNAME: airflow.username,
      AIRFLOW_PASSWORD: airflow.password,
    }
    const started = await startWatchdesk(settings, { logStream: { write: (line) => logged.push(line) } })
    watchdesk = started.watchdesk
    stop = started.stop
    const stories = Array.from({ length: STORIES }, (_, index) => ({ story: `Story ${index}`, platform: 'TELEGRAM' }))
    await insertNarrative(watchdesk, 1, [...(stories as { story: string }[]), { story: 'of no platform' }])
  })
  afterAll(async () => {
    await stop()
    await airflow.close()
  })
  beforeEach(() => {
    airflow.fault = undefined
    airflow.faults = []
    airflow.requests = []
    Object.assign(airflow.dag, { runs: [], is_paused: false, is_missing: false })
  })

  const trigger = (headers: Record<string, string> = {}) =>
    watchdesk.admin<{ execution_date: string }>('POST', RUNS, BODY, headers)
  const statusOf = (date: string) => watchdesk.admin<{ status: string }>('GET', `${RUNS}/${encodeURIComponent(date)}`)
  const batch = (date: string) => watchdesk.admin<VectorizationBatch>('POST', `${RUNS}/${date}/batch`)
  const latest = async () => (await watchdesk.admin<Page<Run>>('GET', RUNS)).body.objects[0]
  const started = async () => (await trigger()).body.execution_date

  function become(state: string) {
    for (const run of airflow.dag.runs) run.state = state
  }

  test('a trigger creates a DAG run of the same date, with its configuration', async () => {
    const { status, body } = await trigger()
    expect(status).toBe(200)
    expect(airflow.dag.runs).toEqual([
      {
        dag_run_id: `manual__${body.execution_date}`,
        logical_date: body.execution_date,
        conf: expect.objectContaining(BODY),
        state: 'queued',
      },
    ])
    expect(await latest()).toMatchObject({ ...body, runner: 'airflow', status: 'queued', error: null })
  })

  test('its status is what Airflow reports, and is kept once it has ended', async () => {
    const date = await started()
    expect((await statusOf(date)).body.status).toBe('queued')
    for (const state of ['running', 'success']) {
      become(state)
      expect((await statusOf(date)).body.status).toBe(state)
    }
    airflow.fault = { kind: 500 }
    expect((await statusOf(date)).body.status).toBe('success')
  })

  test('a failed DAG run is a failed run whose error says where to look', async () => {
    const date = await started()
    become('failed')
    expect((await statusOf(date)).body.status).toBe('failed')
    expect(await latest()).toMatchObject({ status: 'failed', error: expect.stringContaining('failed in Airflow') })
  })

  test('the DAG embeds it batch by batch, until no batches are left', async () => {
    const date = await started()
    become('running')
    const progress = []
    do progress.push((await batch(date)).body)
    while (!progress.at(-1)?.is_finished && progress.length < 100)
    expect(progress.at(-1)).toEqual({ done_count: STORIES, stories_count: STORIES, is_finished: true })
    become('success')
    expect((await statusOf(date)).body.status).toBe('success')
    expect(await latest()).toMatchObject({ status: 'success', done_count: STORIES, stories_count: STORIES })
    const { count } = await watchdesk.database.db
      .selectFrom('story_vectors')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(STORIES)
  })

  test('the run of a paused DAG stays queued with a note', async () => {
    airflow.dag.is_paused = true
    const date = await started()
    expect((await statusOf(date)).body.status).toBe('queued')
    expect(await latest()).toMatchObject({ status: 'queued', error: expect.stringContaining('paused in Airflow') })
    airflow.dag.is_paused = false
    become('running')
    expect((await statusOf(date)).body.status).toBe('running')
    expect(await latest()).toMatchObject({ error: null })
  })

  test('a missing DAG is reported, and the run is marked as failed', async () => {
    airflow.dag.is_missing = true
    const { status, body } = await trigger()
    expect(status).toBe(502)
    expect(errorText(body)).toMatch(/^Airflow has no DAG "vectorize_narrative"\. Put docs\/airflow/)
    expect(await latest()).toMatchObject({ status: 'failed', error: errorText(body) })
  })

  test('the same key twice, also concurrently, is one DAG run', async () => {
    const key = { 'idempotency-key': `one-run-${version}` }
    const responses = await Promise.all([trigger(key), trigger(key), trigger(key)])
    responses.push(await trigger(key))
    expect(new Set(responses.map(({ body }) => body.execution_date)).size).toBe(1)
    expect(airflow.dag.runs).toHaveLength(1)
  })

  test('a trigger that Airflow could not accept is accepted when it is repeated with its key', async () => {
    const key = { 'idempotency-key': `once-more-${version}` }
    airflow.fault = { kind: 503 }
    const failed = await trigger(key)
    expect([failed.status, errorText(failed.body)]).toEqual([503, expect.stringContaining('failed with status 503')])
    airflow.fault = undefined
    const { status, body } = await trigger(key)
    expect(status).toBe(200)
    expect(airflow.dag.runs).toMatchObject([{ logical_date: body.execution_date }])
    expect(await latest()).toMatchObject({ status: 'queued', error: null })
  })

  test('a run whose trigger response was lost is found', async () => {
    await started()
    airflow.dag.runs = []
    airflow.faults = [{ kind: 'drop', after: true }]
    const { status } = await trigger()
    expect(status).toBe(200)
    expect(airflow.dag.runs).toHaveLength(1)
  })

  test.each([
    ['..%2f..%2fpools', 422],
    ['..%2F..%2F..%2Fvariables', 422],
    ['%2e%2e', 422],
    ['2026-11-15T09:30:00.000Z%2f..%2f..', 422],
    ['2026-11-15T09:30:00.000Z%00', 422],
    ['2026-11-15T09:30:00.000Z%0d%0aX-Injected:%201', 422],
    ['2026-11-15T09:30:00.000Z%3Fstate=x', 422],
    ['manual__2026-11-15T09:30:00.000Z', 422],
    ['2026-11-15T09:30:00.000Z', 404],
  ])('the execution date %s ends here', async (date, expected) => {
    const response = await watchdesk.admin('GET', `${RUNS}/${date}`)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
    if (!date.startsWith('%2e')) expect(response.status).toBe(expected)
    expect((await watchdesk.admin('POST', `${RUNS}/${date}/batch`)).status).toBeLessThan(500)
    expect(airflow.requests).toEqual([])
  })

  test.each([
    [500, 503, /failed with status 500/],
    ['drop', 503, /cannot be reached/],
    ['html', 502, /is not Airflow/],
    ['endless', 502, /a response that is too long/],
    ['redirect', 502, /redirects to another address/],
    [401, 502, /refused the sign-in/],
  ] as const)(
    'Airflow that fails with %s: both calls say so, and nothing is half-done',
    async (kind, code, message) => {
      const date = await started()
      airflow.fault = { kind }
      for (const { status, body } of await Promise.all([trigger(), statusOf(date)])) {
        expect([status, errorText(body)]).toEqual([code, expect.stringMatching(message)])
      }
      expect(airflow.dag.runs).toHaveLength(1)
      expect((await latest())?.error).toMatch(message)
    },
  )

  test('neither password nor token is in a response or in the log', () => {
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.join('')).not.toContain('canary')
  })
})
