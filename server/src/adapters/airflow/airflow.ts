import { type Env, StartError } from '../../env.ts'
import { type AirflowSettings, type Call, createClient, pathSegment } from './client.ts'
import { AirflowError, missingDag } from './error.ts'

export type NewDagRun = { dag_run_id: string; logical_date: string; conf: object }
export type DagRunState = 'queued' | 'running' | 'success' | 'failed'

export type Airflow = ReturnType<typeof createAirflow>

const OTHER_RUN = 'Airflow returned a different run than the one that was requested. Check AIRFLOW_URL.'

type AirflowRun = Record<string, unknown>

export function openAirflow(env: Env): Airflow | undefined {
  const { AIRFLOW_URL: url, AIRFLOW_USERNAME: username, AIRFLOW_PASSWORD: password } = env
  if (url === undefined) return undefined
  if (!username || !password) {
    const missing = username ? 'AIRFLOW_PASSWORD' : 'AIRFLOW_USERNAME'
    throw new StartError(`Bad setting. ${missing}: must be set when AIRFLOW_URL is set`)
  }
  return createAirflow({ url, version: env.AIRFLOW_VERSION, username, password, dagId: env.AIRFLOW_DAG_ID })
}

/** Runs of one DAG in Airflow 2.x or 3.x. Both functions throw `AirflowError` within the timeout. */
export function createAirflow(settings: AirflowSettings) {
  const { dagId } = settings
  const startCall = createClient(settings)
  const dateFilter = settings.version === '2' ? 'execution_date' : 'logical_date'

  return {
    async trigger(run: NewDagRun): Promise<{ note?: string }> {
      const call = startCall()
      await start(call, run)
      // The run exists: an error from here on must not look like a failed trigger.
      return call.get('', [200]).then(pausedNote, () => ({}))
    },

    async status(dag_run_id: string, logical_date: string): Promise<{ state: DagRunState; note?: string }> {
      const call = startCall()
      const run = (await call.retry(() => fetchRun(call, dag_run_id))) ?? (await findRunByDate(call, logical_date))
      const state = run ? stateOf(run) : undefined
      if (state === 'running' || state === 'success') return { state }
      if (state === 'failed') {
        return { state, note: `The run of the DAG "${dagId}" failed in Airflow. See the logs of its tasks.` }
      }
      const { status, body } = await call.get('', [200, 404])
      if (status === 404) throw new AirflowError(missingDag(dagId))
      if (!state) throw new AirflowError(`Airflow has no such run of the DAG "${dagId}".`, { isUnknownRun: true })
      return { state, ...pausedNote({ body }) }
    },
  }

  /** A retry is safe because we choose the id. */
  async function start(call: Call, run: NewDagRun) {
    pathSegment(run.dag_run_id)
    let mayHaveStarted = false
    const attempt = async () => {
      if (mayHaveStarted && (await isOurs(call, run))) return
      const { status, body } = await call.request('POST', '/dagRuns', [200, 201, 409], run).catch((error) => {
        mayHaveStarted ||= error instanceof AirflowError && error.mayHaveStarted
        throw error
      })
      mayHaveStarted = true
      if (status !== 409 && body.dag_run_id !== run.dag_run_id) throw new AirflowError(OTHER_RUN)
      if (status === 409 && !(await isOurs(call, run))) {
        const text = `The DAG "${dagId}" already has another run of ${run.logical_date} in Airflow. Try again.`
        throw new AirflowError(text, { isDateTaken: true })
      }
    }
    await call.retry(attempt).catch((error: unknown) => {
      throw error instanceof AirflowError && !error.isDateTaken ? error.with({ mayHaveStarted }) : error
    })
  }

  async function isOurs(call: Call, { dag_run_id, logical_date }: NewDagRun) {
    const run = await fetchRun(call, dag_run_id)
    return run !== undefined && dateOf(run) === Date.parse(logical_date)
  }

  async function fetchRun(call: Call, dag_run_id: string): Promise<AirflowRun | undefined> {
    const { status, body } = await call.request('GET', `/dagRuns/${pathSegment(dag_run_id)}`, [200, 404])
    return status === 404 ? undefined : body
  }

  /** Finds a run that was created again by hand, with another id. */
  async function findRunByDate(call: Call, logical_date: string): Promise<AirflowRun | undefined> {
    const date = encodeURIComponent(logical_date)
    const { body } = await call.get(`/dagRuns?${dateFilter}_gte=${date}&${dateFilter}_lte=${date}`, [200, 404])
    const runs = Array.isArray(body.dag_runs) ? body.dag_runs : []
    return runs.map(Object).find((run) => dateOf(run) === Date.parse(logical_date))
  }

  function pausedNote({ body }: { body: Record<string, unknown> }) {
    if (body.is_paused !== true) return {}
    return { note: `The DAG "${dagId}" is paused in Airflow: the run stays queued until somebody unpauses it there.` }
  }
}

function stateOf({ state }: AirflowRun): DagRunState {
  return state === 'queued' || state === 'success' || state === 'failed' ? state : 'running'
}

function dateOf({ logical_date, execution_date }: AirflowRun) {
  return Date.parse(String(logical_date ?? execution_date))
}
