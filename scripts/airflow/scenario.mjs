import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../setup.mjs'
import { until } from './processes.mjs'
import { insertStories, RUNS } from './watchdesk.mjs'

const DAG = 'vectorize_narrative'
const STORIES = 300

/** What Watchdesk does together with a real Airflow; each step is a line of the summary. */
export async function runScenario({ airflow, watchdesk, adapter, version, step }) {
  const trigger = async (narrative_id, headers) => {
    const body = { narrative_id, platforms: ['TELEGRAM'], content_types: [] }
    return watchdesk.api('POST', RUNS, body, headers)
  }
  const started = async (narrative_id, headers) => {
    const { status, body } = await trigger(narrative_id, headers)
    assert.equal(status, 200, JSON.stringify(body))
    return body.execution_date
  }
  const ended = (date) =>
    until(`the run of ${date} ends`, async () => {
      const status = await watchdesk.statusOf(date)
      return ['success', 'failed'].includes(status) && status
    })
  const vectorsOf = async (narrative_id) => {
    const [{ count }] = await watchdesk.sql(
      'select count(*)::int as count from story_vectors join stories on id = story_id where narrative_id = $1',
      [narrative_id],
    )
    return count
  }
  const dagRuns = async () => (await airflow.api('GET', `/dags/${DAG}/dagRuns`)).body.dag_runs
  const setToken = async (value) => {
    const variable = { key: 'WATCHDESK_TOKEN', value }
    const { status } = await airflow.api('PATCH', `/variables/${variable.key}`, variable)
    if (status === 404) assert.ok((await airflow.api('POST', '/variables', variable)).status < 300)
  }
  const setPaused = async (is_paused) => {
    assert.equal((await airflow.api('PATCH', `/dags/${DAG}`, { is_paused })).status, 200)
  }

  await step('the adapter: sign-in refused, wrong version, missing DAG', async () => {
    const date = new Date().toISOString()
    const run = { dag_run_id: `manual__${date}`, logical_date: date, conf: {} }
    await assert.rejects(adapter({ password: 'wrong' }).trigger(run), /refused the sign-in/)
    await assert.rejects(adapter({ version: version === '2' ? '3' : '2' }).trigger(run), /is not Airflow/)
    await assert.rejects(adapter({}).status(run.dag_run_id, date), /has no DAG "vectorize_narrative"/)
  })

  await insertStories(watchdesk, 1, STORIES)
  await step('a missing DAG is reported through our API', async () => {
    const { status, body } = await trigger(1)
    assert.ok(status >= 400, `answered ${status}`)
    assert.match(JSON.stringify(body), /has no DAG/)
  })

  await setToken(watchdesk.token)
  await airflow.deploy(join(root, 'docs/airflow/vectorize_narrative.py'), DAG)

  await step('the adapter: a repeated run, a duplicate date, an unknown run', async () => {
    await setPaused(true)
    const date = '2024-02-03T04:05:06.789Z'
    const run = { dag_run_id: `manual__${date}`, logical_date: date, conf: {} }
    await adapter({}).trigger(run)
    await adapter({}).trigger(run)
    assert.equal((await dagRuns()).length, 1)
    await assert.rejects(adapter({}).trigger({ ...run, dag_run_id: 'manual__x' }), { isDateTaken: true })
    await assert.rejects(adapter({}).status('manual__x', '2024-01-01T00:00:00.000Z'), { isUnknownRun: true })
    assert.equal((await adapter({}).status('manual__x', date)).state, 'queued')
    const path = `/dags/${DAG}/dagRuns/${encodeURIComponent(run.dag_run_id)}`
    await airflow.api('PATCH', path, { state: 'failed' })
    assert.equal((await adapter({}).status(run.dag_run_id, date)).state, 'failed')
    await setPaused(false)
  })

  let first
  await step(`a run to success: ${STORIES} stories have their vectors`, async () => {
    const key = { 'idempotency-key': 'one-run-for-this-key' }
    const before = (await dagRuns()).length
    first = await started(1, key)
    assert.equal(await started(1, key), first)
    assert.equal((await dagRuns()).length, before + 1)
    assert.equal(await ended(first), 'success')
    assert.equal(await vectorsOf(1), STORIES)
    const run = await watchdesk.runOf(first)
    assert.deepEqual([run.runner, run.status, run.done_count], ['airflow', 'success', STORIES])
  })

  await step('a paused DAG: the run stays queued, and resumes when it is unpaused', async () => {
    await insertStories(watchdesk, 2, 20)
    await setPaused(true)
    const date = await started(2)
    assert.equal(await until('a status', () => watchdesk.statusOf(date)), 'queued')
    await setPaused(false)
    assert.equal(await ended(date), 'success')
    assert.equal(await vectorsOf(2), 20)
  })

  await step('a run to failure: the token is not valid', async () => {
    await insertStories(watchdesk, 3, 20)
    await setToken('wdk_not_a_token')
    const date = await started(3)
    assert.equal(await ended(date), 'failed')
    assert.equal(await vectorsOf(3), 0)
    assert.match((await watchdesk.runOf(date)).error ?? '', /\w/)
  })

  if (version === '3') {
    await step('a token that has expired is renewed', async () => {
      const client = adapter({})
      const [{ dag_run_id, logical_date }] = await dagRuns()
      await client.status(dag_run_id, logical_date)
      const token = await airflow.api.authorization()
      const statusWithIt = async () => (await airflow.api('GET', `/dags/${DAG}`, undefined, token)).status
      assert.equal(await statusWithIt(), 200)
      await wait(13_000)
      assert.equal(await statusWithIt(), 401)
      await client.status(dag_run_id, logical_date)
    })
  }
}
