import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { startServer } from '../start-server.mjs'
import { registerStop } from './processes.mjs'

const ADMIN = { email: 'admin@watchdesk.local', password: 'correct horse battery 9' }
const SERVICE_USER = { email: 'airflow@example.com', password: 'staple for airflow 3' }
export const RUNS = '/api/v1/airflow/vectorize-narrative'

/** The real server with its own PostgreSQL, connected to that Airflow. */
export async function startWatchdesk({ home, settings }) {
  const data = join(home, 'data')
  const server = await startServer({
    DATA_DIR: data,
    // Starting takes longer while Airflow uses the CPU.
    MAX_EVENT_LOOP_DELAY_MS: '0',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    ...settings,
  })
  registerStop(server.stop)
  const { url } = server
  const session = await call(url, 'POST', '/api/v1/login', ADMIN)
  const api = (method, path, body, headers) =>
    call(url, method, path, body, { authorization: `Bearer ${session.body.access_token}`, ...headers })
  const user = { ...SERVICE_USER, first_name: 'Air', last_name: 'Flow', workspace_id: 1, is_super_admin: true }
  const created = await api('POST', '/api/v1/users/', user)
  if (created.status !== 201) throw new Error(`No service user: ${JSON.stringify(created.body)}`)
  const { body: service } = await call(url, 'POST', '/api/v1/login', SERVICE_USER)
  const token = await call(
    url,
    'POST',
    '/api/v1/account/tokens/',
    { name: 'Airflow', days: 1, is_read_only: false },
    { authorization: `Bearer ${service.access_token}` },
  )
  if (token.status !== 201) throw new Error(`No token: ${JSON.stringify(token.body)}`)
  return {
    url,
    api,
    /** Of the service user. */
    token: token.body.token,
    /** Undefined while Airflow is too busy to respond. */
    async statusOf(execution_date) {
      const { status, body } = await api('GET', `${RUNS}/${encodeURIComponent(execution_date)}`)
      if (status === 503) return undefined
      if (status !== 200) throw new Error(`No status: ${JSON.stringify(body)}`)
      return body.status
    },
    async runOf(execution_date) {
      const { body } = await api('GET', RUNS)
      return body.objects.find((run) => run.execution_date === execution_date)
    },
    sql: (text, values) => query(data, text, values),
    logs: server.output,
  }
}

async function call(url, method, path, body, headers) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

/** Queries the embedded database through its socket, with the server's own driver. */
async function query(data, text, values) {
  const { Client } = createRequire(join(root, 'server/package.json'))('pg')
  const socket = readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')[4]
  const client = new Client({ host: socket, user: 'watchdesk', database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

export async function insertStories(watchdesk, narrative_id, count) {
  await watchdesk.sql('insert into narratives (id) values ($1)', [narrative_id])
  const stories = Array.from({ length: count }, (_, index) => `Story ${index} of narrative ${narrative_id}`)
  await watchdesk.sql(
    `insert into stories (narrative_id, message_composite_id, story, platform, content_type, digest)
      select $1, 'telegram_post_' || ordinality, story, 'TELEGRAM', 'POST', digest
      from unnest($2::text[], $3::uuid[]) with ordinality as given (story, digest)`,
    [narrative_id, stories, stories.map(digest)],
  )
}

function digest(story) {
  return createHash('md5').update(story).digest('hex')
}
