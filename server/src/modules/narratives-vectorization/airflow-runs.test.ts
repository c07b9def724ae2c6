import { errorText } from '@watchdesk/contract/errors'
import type { Run, VectorizationBatch } from '@watchdesk/contract/narratives-vectorization'
import type { Page } from '@watchdesk/contract/page'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startAirflow } from '../../../test/helpers/airflow.ts'
import { insertNarrative } from '../../../test/helpers/narratives.ts'
import { insertUser, openSession } from '../../../test/helpers/people.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { openAirflow } from '../../adapters/airflow/airflow.ts'
import { followAirflow } from './follow-airflow.ts'

const URL = '/api/v1/airflow/vectorize-narrative'

const fake = await startAirflow('3')
const watchdesk = useWatchdesk({
  AIRFLOW_URL: fake.url,
  AIRFLOW_USERNAME: fake.username,
  AIRFLOW_PASSWORD: fake.password,
})
let narrative_id = 0

beforeEach(async () => {
  fake.dag.runs = []
  fake.dag.is_paused = false
  fake.faults = []
  fake.fault = undefined
  fake.requests = []
  narrative_id += 1
  await insertNarrative(watchdesk, narrative_id, stories(700))
})
afterAll(() => fake.close())

function stories(count: number) {
  return Array.from({ length: count }, (_, index) => ({ story: `Story number ${index}` }))
}

function trigger(headers: Record<string, string> = {}) {
  const body = { narrative_id, platforms: ['VK'], content_types: [] }
  return watchdesk.admin<{ execution_date: string }>('POST', URL, body, headers)
}

async function latest() {
  const { objects } = (await watchdesk.admin<Page<Run>>('GET', `${URL}?page_size=1`)).body
  return objects[0]
}

const status = (date: string) => watchdesk.admin('GET', `${URL}/${date}`)
const batch = (date: string) => watchdesk.admin<VectorizationBatch>('POST', `${URL}/${date}/batch`)
const follow = () => followAirflow(watchdesk.database.db, watchdesk.deps.airflow)

describe('a trigger', () => {
  test('is saved, and sent to Airflow with our run id and the configuration', async () => {
    const { execution_date } = (await trigger()).body
    const dag_run_id = `manual__${execution_date}`
    const conf = { narrative_id, platforms: ['VK'], content_types: [], model: 'lexical', execution_date }
    expect(fake.dag.runs).toMatchObject([{ dag_run_id, logical_date: execution_date, conf }])
    expect(await latest()).toMatchObject({ runner: 'airflow', status: 'queued', error: null, execution_date })
    expect((await status(execution_date)).body).toEqual({ status: 'queued', error: null })
  })

  test('is refused for an auditor, who sees what Airflow reports about the runs of others', async () => {
    const { id } = await insertUser(watchdesk, { workspace_id: 1, is_auditor: true })
    const auditor = await openSession(watchdesk, id)
    const { execution_date } = (await trigger()).body
    const [run] = fake.dag.runs
    if (run) run.state = 'running'
    expect((await auditor('GET', `${URL}/${execution_date}`)).body).toEqual({ status: 'running', error: null })
    const body = { narrative_id, platforms: [], content_types: [] }
    expect((await auditor('POST', URL, body)).status).toBe(403)
    expect(fake.dag.runs).toHaveLength(1)
  })

  test('is in the metrics, by service and outcome', async () => {
    await trigger()
    const { body } = await watchdesk.app.inject('/metrics')
    expect(body).toMatch(/^http_client_request_duration_seconds_count\{service="airflow",outcome="200"\} [1-9]/m)
  })

  test('of a paused DAG is queued with a note', async () => {
    fake.dag.is_paused = true
    const { execution_date } = (await trigger()).body
    const error = expect.stringContaining('is paused in Airflow')
    expect(await latest()).toMatchObject({ status: 'queued', error })
    expect((await status(execution_date)).body).toEqual({ status: 'queued', error })
  })

  test('that Airflow rejects is marked as failed, and returns the error', async () => {
    fake.dag.is_missing = true
    const { status: code, body } = await trigger()
    fake.dag.is_missing = false
    expect([code, errorText(body)]).toEqual([502, expect.stringContaining('Airflow has no DAG "vectorize_narrative".')])
    expect(await latest()).toMatchObject({ status: 'failed', error: errorText(body), finished_at: expect.any(String) })
  })

  test('with the same key starts one run, concurrently, repeatedly and after a failure', async () => {
    const headers = { 'idempotency-key': `airflow-${narrative_id}` }
    fake.dag.is_missing = true
    expect((await trigger(headers)).status).toBe(502)
    fake.dag.is_missing = false
    const responses = await Promise.all(Array.from({ length: 4 }, () => trigger(headers)))
    responses.push(await trigger(headers))
    expect(responses.filter((response) => response.status !== 200)).toEqual([])
    expect(fake.dag.runs.length).toBe(1)
    expect(await latest()).toMatchObject({ status: 'queued', error: null, finished_at: null })
  })

  test('that is repeated after its run has ended sends nothing to Airflow and changes nothing', async () => {
    const headers = { 'idempotency-key': `run-ended-${narrative_id}` }
    const { execution_date } = (await trigger(headers)).body
    if (fake.dag.runs[0]) fake.dag.runs[0].state = 'failed'
    await status(execution_date)
    fake.requests = []
    expect((await trigger(headers)).body).toEqual({ execution_date })
    expect(fake.requests).toEqual([])
    expect(await latest()).toMatchObject({ status: 'failed', execution_date })
  })

  test('whose response is lost is not marked as failed: the next poll finds the run', async () => {
    // The token is already cached, so these are the trigger and the check whether it arrived.
    fake.faults = [{ kind: 'html', after: true }]
    const response = await trigger()
    expect([response.status, errorText(response.body)]).toEqual([502, expect.stringContaining('is not Airflow')])
    const run = await latest()
    expect(run).toMatchObject({ status: 'queued', error: errorText(response.body) })
    expect((await status(run?.execution_date ?? '')).body).toEqual({ status: 'queued', error: null })
    expect(fake.dag.runs.length).toBe(1)
  })

  test('that never reached Airflow is marked as failed after a minute', async () => {
    const { execution_date } = (await trigger()).body
    fake.dag.runs = []
    const { db } = watchdesk.database
    await db
      .updateTable('vectorization_runs')
      .set({ attempts: 0 })
      .where('execution_date', '=', new Date(execution_date))
      .execute()
    expect((await status(execution_date)).body).toEqual({ status: 'queued', error: null })
    await db
      .updateTable('vectorization_runs')
      .set({ created_at: new Date(Date.now() - 61_000) })
      .where('execution_date', '=', new Date(execution_date))
      .execute()
    const error = expect.stringContaining('Airflow has no such run')
    expect((await status(execution_date)).body).toEqual({ status: 'failed', error })
  })
})

describe('the status', () => {
  test('is what Airflow reports, and is kept when the run has ended', async () => {
    const { execution_date } = (await trigger()).body
    const [run] = fake.dag.runs
    for (const state of ['running', 'failed']) {
      if (run) run.state = state
      expect((await status(execution_date)).body).toMatchObject({ status: state })
    }
    expect(await latest()).toMatchObject({ started_at: expect.any(String), finished_at: expect.any(String) })
    fake.requests = []
    expect((await status(execution_date)).body).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('failed in Airflow'),
    })
    expect(fake.requests).toEqual([])
  })

  test('that Airflow cannot return is an error, and the list keeps the last known status', async () => {
    const { execution_date } = (await trigger()).body
    fake.fault = { kind: 403 }
    const response = await status(execution_date)
    expect([response.status, errorText(response.body)]).toEqual([502, expect.stringContaining('AIRFLOW_USERNAME')])
    expect(await latest()).toMatchObject({ status: 'queued' })
  })

  test('of every unfinished run is polled for the list, until Airflow is no longer configured', async () => {
    const dates = [(await trigger()).body.execution_date, (await trigger()).body.execution_date]
    for (const run of fake.dag.runs) run.state = 'success'
    await follow()
    const { objects } = (await watchdesk.admin<Page<Run>>('GET', `${URL}?page_size=2`)).body
    expect(objects.map(({ execution_date, status: known }) => [execution_date, known])).toEqual(
      dates.reverse().map((date) => [date, 'success']),
    )
    await trigger()
    await followAirflow(watchdesk.database.db, undefined)
    expect(await latest()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('AIRFLOW_URL is no longer set'),
    })
  })
})

describe('a batch', () => {
  beforeEach(() =>
    watchdesk.database.pool.query(`update stories set platform = 'VK' where narrative_id = ${narrative_id}`),
  )

  test('embeds the next stories until none are left', async () => {
    const { execution_date } = (await trigger()).body
    expect((await batch(execution_date)).body).toEqual({ done_count: 500, stories_count: 700, is_finished: false })
    expect(await latest()).toMatchObject({ status: 'running', done_count: 500, started_at: expect.any(String) })
    expect((await batch(execution_date)).body).toEqual({ done_count: 700, stories_count: 700, is_finished: true })
    expect((await batch(execution_date)).body).toEqual({ done_count: 700, stories_count: 700, is_finished: true })
    const { rows } = await watchdesk.database.pool.query(
      `select count(*)::int as count from story_vectors join stories on id = story_id where narrative_id = ${narrative_id}`,
    )
    expect(rows).toEqual([{ count: 700 }])
    if (fake.dag.runs[0]) fake.dag.runs[0].state = 'success'
    expect((await status(execution_date)).body).toMatchObject({ status: 'success' })
    expect((await batch(execution_date)).body).toMatchObject({ is_finished: true })
    expect(await latest()).toMatchObject({ status: 'success' })
  })

  test('requested twice concurrently counts once', async () => {
    const { execution_date } = (await trigger()).body
    const responses = await Promise.all([batch(execution_date), batch(execution_date)])
    expect(responses.map(({ status: code }) => code)).toEqual([200, 200])
    expect(await latest()).toMatchObject({ done_count: 500 })
  })

  test('of a run that was marked as failed marks it as running', async () => {
    fake.dag.is_missing = true
    await trigger()
    fake.dag.is_missing = false
    const run = await latest()
    expect(run?.status).toBe('failed')
    expect((await batch(run?.execution_date ?? '')).status).toBe(200)
    expect(await latest()).toMatchObject({ status: 'running', error: null, finished_at: null })
  })

  test('of a run of the server, or of an unknown run, is rejected', async () => {
    const { execution_date } = (await trigger()).body
    await watchdesk.database.pool.query(
      `update vectorization_runs set runner = 'server' where narrative_id = ${narrative_id}`,
    )
    const response = await batch(execution_date)
    expect([response.status, errorText(response.body)]).toEqual([
      409,
      'This run is executed by the server, not by Airflow.',
    ])
    expect((await batch('2020-01-01T00:00:00.000Z')).status).toBe(404)
    expect((await batch('yesterday')).status).toBe(422)
  })
})

test.each([
  [{ AIRFLOW_PASSWORD: 'x' }, 'Bad setting. AIRFLOW_USERNAME: must be set when AIRFLOW_URL is set'],
  [{ AIRFLOW_USERNAME: 'x' }, 'Bad setting. AIRFLOW_PASSWORD: must be set when AIRFLOW_URL is set'],
])('an Airflow with only %j stops the start', (settings, message) => {
  const env = { ...watchdesk.deps.env, AIRFLOW_USERNAME: undefined, AIRFLOW_PASSWORD: undefined, ...settings }
  expect(() => openAirflow(env)).toThrow(message)
})
