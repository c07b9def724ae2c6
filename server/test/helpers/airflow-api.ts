import { randomUUID } from 'node:crypto'

type DagRun = { dag_run_id: string; logical_date: string; conf: unknown; state: string }
export type Dag = { id: string; is_paused: boolean; is_missing: boolean; runs: DagRun[] }

type State = {
  version: '2' | '3'
  dag: Dag
  credentials: { username: string; password: string }
  tokens: Set<string>
}
type Asked = { method: string; url: string; authorization: string; body: string }
export type AirflowResponse = { status: number; body: unknown }

/** Status and body as returned by Airflow 2.11 and 3.3. */
export function respondAs(state: State, { method, url, authorization, body }: Asked): AirflowResponse {
  const { version, dag } = state
  const { pathname, searchParams } = new URL(url, 'http://airflow')
  if (version === '3' && method === 'POST' && pathname === '/auth/token') return signIn(state, body)
  const api = version === '2' ? '/api/v1/dags/' : '/api/v2/dags/'
  if (!pathname.startsWith(api)) return elsewhere(version, method)
  const refused = refusal(state, authorization)
  if (refused) return refused
  const [dagId, collection, run] = pathname.slice(api.length).split('/').map(decodeURIComponent)
  const isKnown = dagId === dag.id && !dag.is_missing
  const missing = problem(version, 404, `The DAG with dag_id: ${dagId} was not found`)
  if (method === 'POST') return isKnown ? createRun(state, body) : missing
  if (collection === undefined) {
    return isKnown ? { status: 200, body: { dag_id: dag.id, is_paused: dag.is_paused } } : missing
  }
  if (run !== undefined) {
    const found = dag.runs.find(({ dag_run_id }) => dag_run_id === run)
    if (isKnown && found) return { status: 200, body: shown(state, found) }
    return problem(version, 404, `DAGRun with DAG ID: '${dagId}' and DagRun ID: '${run}' not found`)
  }
  // For an unknown DAG, 2.x returns an empty list and 3.x an error.
  if (!isKnown && version === '3') return missing
  return listRuns(state, searchParams)
}

/** The response to a client of the other version, before authentication. */
function elsewhere(version: '2' | '3', method: string): AirflowResponse {
  if (version === '2') return { status: 404, body: undefined }
  if (method === 'POST') return { status: 405, body: { detail: 'Method Not Allowed' } }
  return { status: 404, body: { error: '/api/v1 has been removed in Airflow 3' } }
}

function signIn({ credentials, tokens }: State, body: string): AirflowResponse {
  const { username, password, ...more } = JSON.parse(body)
  if (Object.keys(more).length > 0) return { status: 422, body: { detail: 'Extra inputs are not permitted' } }
  if (username !== credentials.username || password !== credentials.password) {
    return { status: 401, body: { detail: 'Invalid credentials' } }
  }
  const access_token = `canary-token-${randomUUID()}`
  tokens.add(access_token)
  return { status: 201, body: { access_token } }
}

function refusal({ version, credentials, tokens }: State, authorization: string) {
  const [scheme, value = ''] = authorization.split(' ')
  if (version === '2') {
    const expected = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
    return scheme === 'Basic' && value === expected ? undefined : problem('2', 403, null, 'Forbidden')
  }
  if (scheme !== 'Bearer') return problem('3', 401, 'Not authenticated')
  return tokens.has(value) ? undefined : problem('3', 401, 'Token Expired')
}

const RUN_FIELDS = ['dag_run_id', 'logical_date', 'conf', 'note', 'data_interval_start', 'data_interval_end']

function createRun(state: State, body: string): AirflowResponse {
  const { version, dag } = state
  const given = JSON.parse(body)
  const unknown = Object.keys(given).find((field) => !RUN_FIELDS.includes(field))
  if (unknown !== undefined) return invalid(version, unknown, 'extra_forbidden', 'Extra inputs are not permitted')
  if (given.logical_date === undefined && version === '3') {
    return invalid(version, 'logical_date', 'missing', 'Field required')
  }
  const { dag_run_id, logical_date = new Date().toISOString(), conf = {} } = given
  if (Number.isNaN(Date.parse(logical_date))) {
    return invalid(version, 'logical_date', 'datetime_from_date_parsing', 'Input should be a valid datetime or date')
  }
  const isTaken = dag.runs.some(
    (run) => run.dag_run_id === dag_run_id || Date.parse(run.logical_date) === Date.parse(logical_date),
  )
  if (isTaken && version === '3') return { status: 409, body: { detail: { reason: 'Unique constraint violation' } } }
  if (isTaken)
    return problem('2', 409, `DAGRun with DAG ID: '${dag.id}' and that id or date already exists`, 'Conflict')
  const run = { dag_run_id, logical_date, conf, state: 'queued' }
  dag.runs.push(run)
  return { status: 200, body: shown(state, run) }
}

function listRuns(state: State, query: URLSearchParams): AirflowResponse {
  const name = state.version === '2' ? 'execution_date' : 'logical_date'
  const [from, to] = [query.get(`${name}_gte`), query.get(`${name}_lte`)].map((value) => Date.parse(value ?? ''))
  const dag_runs = state.dag.runs
    .filter(({ logical_date }) => {
      const date = Date.parse(logical_date)
      return !(date < (from ?? 0)) && !(date > (to ?? 0))
    })
    .map((run) => shown(state, run))
  return { status: 200, body: { dag_runs, total_entries: dag_runs.length } }
}

/** Airflow writes microseconds; 2.x also writes an offset. */
function shown({ version, dag }: State, { logical_date, ...run }: DagRun) {
  const date = new Date(logical_date).toISOString().replace('Z', version === '2' ? '000+00:00' : '000Z')
  return {
    ...run,
    dag_id: dag.id,
    logical_date: date,
    ...(version === '2' && { execution_date: date, external_trigger: true }),
    run_type: 'manual',
    start_date: null,
    end_date: null,
    note: null,
  }
}

function invalid(version: '2' | '3', field: string, type: string, msg: string): AirflowResponse {
  if (version === '2') return problem('2', 400, `{'${field}': ['${msg}']}`, 'Bad Request')
  return { status: 422, body: { detail: [{ type, loc: ['body', field], msg }] } }
}

function problem(version: '2' | '3', status: number, detail: string | null, title = 'Not found'): AirflowResponse {
  return { status, body: version === '2' ? { detail, status, title, type: 'https://airflow.apache.org/' } : { detail } }
}
