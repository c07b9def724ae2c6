import { TIMEOUT_MS as CLIENT } from '@watchdesk/contract/limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeAirflow, type Fault, startAirflow } from '../../../test/helpers/airflow.ts'
import { freePort } from '../../../test/helpers/loopback.ts'
import { createAirflow } from './airflow.ts'
import { TIMEOUT_MS } from './client.ts'
import type { AirflowError } from './error.ts'

const DATE = '2026-11-15T09:30:00.123Z'
const RUN = {
  dag_run_id: `manual__${DATE}`,
  logical_date: DATE,
  conf: { narrative_id: 7, platforms: ['TELEGRAM'], content_types: [] },
}

test('a call to Airflow ends well before the console stops waiting for its response', () => {
  expect(TIMEOUT_MS).toBeLessThanOrEqual(CLIENT.vectorization - 5000)
})

describe.each(['2', '3'] as const)('Airflow %s.x', (version) => {
  let fake: FakeAirflow
  beforeEach(async () => {
    fake = await startAirflow(version)
  })
  afterEach(() => fake.close())

  /** So long that a busy machine does not run out of it; faults that last use less. */
  const connect = (more: Partial<Parameters<typeof createAirflow>[0]> = {}) =>
    createAirflow({ ...fake, timeoutMs: 4000, ...more })
  const failure = (promise: Promise<unknown>): Promise<AirflowError> =>
    promise.then(
      () => Promise.reject(new Error('It went well')),
      (error) => error,
    )

  test('a run is triggered with our own id, its date and its configuration', async () => {
    expect(await connect().trigger(RUN)).toEqual({})
    const [post, ...more] = fake.posts()
    expect(more).toEqual([])
    expect(post?.line).toBe(`POST /api/v${version === '2' ? 1 : 2}/dags/vectorize_narrative/dagRuns`)
    expect(JSON.parse(post?.body ?? '')).toEqual(RUN)
    expect(fake.dag.runs).toMatchObject([RUN])
  })

  test.each(['queued', 'running', 'success', 'failed'])('its state %s is returned', async (state) => {
    const airflow = connect()
    await airflow.trigger(RUN)
    fake.dag.runs[0] = { ...RUN, state }
    expect((await airflow.status(RUN.dag_run_id, DATE)).state).toBe(state)
  })

  test('the error of a failed run says where to look; an unknown state counts as running', async () => {
    fake.dag.runs = [{ ...RUN, state: 'failed' }]
    expect((await connect().status(RUN.dag_run_id, DATE)).note).toMatch(/failed in Airflow. See the logs of its tasks/)
    fake.dag.runs = [{ ...RUN, state: 'deferred' }]
    expect(await connect().status(RUN.dag_run_id, DATE)).toEqual({ state: 'running' })
  })

  test('the id is encoded in the path; a run with another id is found by its date', async () => {
    fake.dag.runs = [{ ...RUN, dag_run_id: 'by hand', state: 'success' }]
    expect(await connect().status(RUN.dag_run_id, DATE)).toEqual({ state: 'success' })
    const [byId, byDate] = fake.requests.filter(({ line }) => line.startsWith('GET')).map(({ line }) => line)
    expect(byId).toMatch(/dagRuns\/manual__2026-11-15T09%3A30%3A00.123Z$/)
    const name = version === '2' ? 'execution_date' : 'logical_date'
    const date = encodeURIComponent(DATE)
    expect(byDate?.endsWith(`/dagRuns?${name}_gte=${date}&${name}_lte=${date}`)).toBe(true)
  })

  test.each(['..', '../pools', '..%2fpools', 'a\0', 'a\r\nHost: b', 'a/b', 'a?b', 'a#b', 'a b', ''])(
    'the id %j never leaves',
    async (id) => {
      expect((await failure(connect().status(id, DATE))).isUnknownRun).toBe(true)
      expect((await failure(connect().trigger({ ...RUN, dag_run_id: id }))).isUnknownRun).toBe(true)
      expect(fake.requests.filter(({ line }) => line.includes('dags'))).toEqual([])
    },
  )

  test('an unknown run and a missing DAG have different errors', async () => {
    const unknown = await failure(connect().status(RUN.dag_run_id, DATE))
    expect([unknown.isUnknownRun, unknown.message]).toEqual([
      true,
      'Airflow has no such run of the DAG "vectorize_narrative".',
    ])
    fake.dag.is_missing = true
    for (const error of [
      await failure(connect().status(RUN.dag_run_id, DATE)),
      await failure(connect().trigger(RUN)),
    ]) {
      expect(error.isUnknownRun).toBe(false)
      expect(error.message).toMatch(/^Airflow has no DAG "vectorize_narrative"\. Put docs\/airflow\/\S+ into its dags/)
    }
  })

  test('the run of a paused DAG stays queued, and both calls return a note', async () => {
    fake.dag.is_paused = true
    const note = expect.stringContaining('paused in Airflow')
    expect(await connect().trigger(RUN)).toEqual({ note })
    expect(await connect().status(RUN.dag_run_id, DATE)).toEqual({ state: 'queued', note })
  })

  test('the same run twice, also concurrently, is one run', async () => {
    const airflow = connect()
    await Promise.all([airflow.trigger(RUN), airflow.trigger(RUN), connect().trigger(RUN)])
    expect(await airflow.trigger(RUN)).toEqual({})
    expect(fake.dag.runs).toHaveLength(1)
  })

  test('a run of someone else with the same date is not ours', async () => {
    fake.dag.runs = [{ ...RUN, dag_run_id: 'theirs', state: 'queued' }]
    const error = await failure(connect().trigger(RUN))
    expect(error).toMatchObject({ isDateTaken: true, mayHaveStarted: false })
    fake.dag.runs = [{ ...RUN, logical_date: '2020-01-01T00:00:00.000Z', state: 'queued' }]
    expect((await failure(connect().trigger(RUN))).isDateTaken).toBe(true)
  })

  test.each<Fault>([
    { kind: 'drop', after: true },
    { kind: 'hang', after: true },
    { kind: 504, after: true },
  ])('a run that arrived although no response came (%j) is read back, not sent again', async (fault) => {
    const airflow = connect()
    await failure(airflow.status(RUN.dag_run_id, DATE))
    fake.faults = [fault]
    expect(await airflow.trigger(RUN)).toEqual({})
    expect(fake.posts()).toHaveLength(1)
    expect(fake.dag.runs).toHaveLength(1)
  })

  test.each<Fault>([{ kind: 'drop' }, { kind: 503 }, { kind: 429 }, { kind: 'hang' }])(
    'what did not arrive (%j) is sent again',
    async (fault) => {
      const airflow = connect()
      await failure(airflow.status(RUN.dag_run_id, DATE))
      fake.faults = [fault]
      expect(await airflow.trigger(RUN)).toEqual({})
      expect(fake.posts()).toHaveLength(2)
      expect(fake.dag.runs).toHaveLength(1)
    },
  )

  test('a failed lookup of the DAG afterwards is not a failed trigger', async () => {
    fake.dag.is_paused = true
    const airflow = connect()
    await failure(airflow.status(RUN.dag_run_id, DATE))
    const fault = { kind: 500 } as const
    fake.faults = [undefined, fault, fault, fault, fault]
    expect(await airflow.trigger(RUN)).toEqual({})
    expect(fake.faults).toEqual([])
  })

  test.each<[Fault['kind'], RegExp, boolean]>([
    [500, /failed with status 500/, true],
    [503, /failed with status 503/, true],
    [429, /too many requests/, false],
    ['drop', /cannot be reached/, true],
    ['hang', /did not answer in time/, true],
    ['html', /is not Airflow/, true],
    ['array', /is not Airflow/, true],
    ['endless', /a response that is too long/, true],
    ['redirect', /redirects to another address/, false],
    [401, /refused the sign-in. Check AIRFLOW_USERNAME/, false],
    [403, /refused the sign-in.* Check AIRFLOW_USERNAME/, false],
    [400, /refused the request with status 400: Out of order/, false],
    [405, /is not Airflow/, false],
  ])('a failure of Airflow (%s) is reported in time', async (kind, message, mayHaveStarted) => {
    const airflow = connect({ timeoutMs: kind === 'hang' ? 4000 : 8000 })
    await failure(airflow.status(RUN.dag_run_id, DATE))
    fake.fault = { kind }
    const [trigger, status] = await Promise.all([
      failure(airflow.trigger(RUN)),
      failure(airflow.status(RUN.dag_run_id, DATE)),
    ])
    for (const error of [trigger, status]) {
      expect(error.name).toBe('AirflowError')
      expect(error.message).toMatch(message)
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain('canary')
    }
    expect(trigger.mayHaveStarted).toBe(mayHaveStarted)
    expect(fake.dag.runs).toEqual([])
  })

  test('a refused connection is reported, and that nothing was sent', async () => {
    const error = await failure(connect({ url: `http://127.0.0.1:${await freePort()}` }).trigger(RUN))
    expect(error.message).toMatch(/cannot be reached \(ECONNREFUSED\). Check AIRFLOW_URL/)
    expect(error.mayHaveStarted).toBe(false)
  })

  test('a wrong password and a wrong version say which settings to check', async () => {
    const refused = await failure(connect({ password: 'canary of another' }).trigger(RUN))
    expect(refused.message).toMatch(/refused the sign-in.* Check AIRFLOW_USERNAME and AIRFLOW_PASSWORD/)
    expect(refused.message).not.toContain('canary')
    const other = version === '2' ? '3' : '2'
    for (const mismatch of [
      await failure(connect({ version: other }).trigger(RUN)),
      await failure(connect({ version: other }).status(RUN.dag_run_id, DATE)),
    ]) {
      expect(mismatch.message).toMatch(/is not Airflow .\.x \(status 40[45]\). Check AIRFLOW_URL and AIRFLOW_VERSION/)
    }
  })

  test('an address with a path and a password in it is used without the password', async () => {
    const url = fake.url.replace('//', '//someone:canary@')
    expect(await connect({ url: `${url}/` }).trigger(RUN)).toEqual({})
    const error = await failure(connect({ url: `${url}/prefix/` }).trigger(RUN))
    expect(error.message).not.toContain('canary')
  })
})

describe('the token of Airflow 3.x', () => {
  let fake: FakeAirflow
  beforeEach(async () => {
    fake = await startAirflow('3')
  })
  afterEach(() => fake.close())

  test('is requested once, and used for all calls', async () => {
    const airflow = createAirflow(fake)
    await airflow.trigger(RUN)
    await Promise.all(Array.from({ length: 5 }, () => airflow.status(RUN.dag_run_id, DATE)))
    expect(fake.signIns()).toHaveLength(1)
  })

  test('that has expired is renewed, once for all concurrent calls', async () => {
    const airflow = createAirflow(fake)
    await airflow.trigger(RUN)
    fake.expireTokens()
    const states = await Promise.all(Array.from({ length: 5 }, () => airflow.status(RUN.dag_run_id, DATE)))
    expect(states.map(({ state }) => state)).toEqual(Array(5).fill('queued'))
    expect(fake.signIns()).toHaveLength(2)
  })

  test('that was signed with an old secret (403) is renewed; a missing permission is reported', async () => {
    const airflow = createAirflow(fake)
    await airflow.trigger(RUN)
    fake.faults = [{ kind: 403 }]
    expect(await airflow.status(RUN.dag_run_id, DATE)).toEqual({ state: 'queued' })
    expect(fake.signIns()).toHaveLength(2)
    fake.faults = [{ kind: 403 }, undefined, { kind: 403 }]
    await expect(airflow.status(RUN.dag_run_id, DATE)).rejects.toThrow(/does not let the user of AIRFLOW_USERNAME/)
  })

  test('is renewed at most once per call', async () => {
    const airflow = createAirflow(fake)
    await airflow.trigger(RUN)
    fake.faults = [{ kind: 401 }, undefined, { kind: 401 }]
    await expect(airflow.status(RUN.dag_run_id, DATE)).rejects.toThrow(/refused the sign-in/)
    expect(fake.signIns()).toHaveLength(2)
    expect(await airflow.status(RUN.dag_run_id, DATE)).toEqual({ state: 'queued' })
  })
})
