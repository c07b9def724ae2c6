import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { freePort, startProcess, until } from './processes.mjs'

/** The address of Airflow, known before it starts, because Airflow and Watchdesk need each other's address. */
export async function findAirflowUrl() {
  return `http://127.0.0.1:${await freePort()}`
}

/** A real Airflow on loopback, with its database and settings in its own folder. */
export async function startAirflow({ version, bin, home, url, credentials, env: given }) {
  const dags = join(home, 'dags')
  mkdirSync(dags, { recursive: true })
  const env = {
    PATH: [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    NO_PROXY: '*',
    AIRFLOW_HOME: home,
    AIRFLOW__CORE__DAGS_FOLDER: dags,
    AIRFLOW__CORE__LOAD_EXAMPLES: 'False',
    ...(version === '2' ? settingsOf2(url) : settingsOf3(url, home, credentials.username)),
    ...given,
  }
  const { username, password } = credentials
  const airflow = join(bin, 'airflow')
  const command = (...args) => {
    const { status, stdout, stderr } = spawnSync(airflow, args, { env, cwd: home, encoding: 'utf8' })
    if (status !== 0) throw new Error(`airflow ${args[0]} ${args[1]} failed:\n${`${stdout}${stderr}`.slice(-2000)}`)
    return stdout
  }
  command('db', 'migrate')
  if (version === '2') {
    const person = ['--firstname', 'Watch', '--lastname', 'Desk', '--email', 'watchdesk@example.com']
    command('users', 'create', '--role', 'Admin', '--username', username, '--password', password, ...person)
  } else {
    writeFileSync(join(home, 'passwords.json'), JSON.stringify({ [username]: password }))
  }

  const names = version === '2' ? ['webserver', 'scheduler'] : ['api-server', 'scheduler', 'dag-processor']
  const processes = names.map((name) => {
    // Its log server would listen on all interfaces, on a port that may be taken.
    const more = name === 'scheduler' ? ['--skip-serve-logs'] : []
    return { name, ...startProcess(airflow, [name, ...more], { env, cwd: home, log: join(home, `${name}.log`) }) }
  })
  const api = apiOf(version, url, credentials)
  return {
    version: command('version').trim().split('\n').at(-1),
    api,
    async ready() {
      await until(`${names[0]} answers`, async () => {
        const ended = processes.find((child) => child.hasEnded())
        if (ended) throw new Error(`airflow ${ended.name} ended:\n${ended.log().slice(-3000)}`)
        return api('GET', '/dags').then(
          ({ status }) => status === 200,
          () => false,
        )
      })
    },
    async deploy(file, dagId) {
      cpSync(file, join(dags, 'vectorize_narrative.py'))
      await until(`Airflow knows ${dagId}`, async () => (await api('GET', `/dags/${dagId}`)).status === 200)
    },
    logs: () => processes.map(({ name, log }) => `-- ${name}\n${log().slice(-2500)}`).join('\n'),
  }
}

function settingsOf2(url) {
  return {
    PYTHONWARNINGS: 'ignore',
    AIRFLOW__CORE__EXECUTOR: 'SequentialExecutor',
    AIRFLOW__API__AUTH_BACKENDS: 'airflow.api.auth.backend.basic_auth',
    AIRFLOW__WEBSERVER__WEB_SERVER_HOST: '127.0.0.1',
    AIRFLOW__WEBSERVER__WEB_SERVER_PORT: new URL(url).port,
    AIRFLOW__WEBSERVER__WORKERS: '1',
    AIRFLOW__SCHEDULER__DAG_DIR_LIST_INTERVAL: '3',
    AIRFLOW__SCHEDULER__MIN_FILE_PROCESS_INTERVAL: '5',
  }
}

function settingsOf3(url, home, username) {
  return {
    AIRFLOW__CORE__EXECUTOR: 'LocalExecutor',
    AIRFLOW__CORE__PARALLELISM: '2',
    AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS: `${username}:op`,
    AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE: join(home, 'passwords.json'),
    AIRFLOW__CORE__EXECUTION_API_SERVER_URL: `${url}/execution/`,
    AIRFLOW__API__HOST: '127.0.0.1',
    AIRFLOW__API__PORT: new URL(url).port,
    AIRFLOW__API__BASE_URL: url,
    AIRFLOW__API__WORKERS: '1',
    AIRFLOW__API_AUTH__JWT_SECRET: 'a secret that only this test uses, and as long as its hash asks for',
    // Short enough for tokens to expire between two calls.
    AIRFLOW__API_AUTH__JWT_EXPIRATION_TIME: '10',
    AIRFLOW__API_AUTH__JWT_LEEWAY: '1',
    AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL: '3',
  }
}

/** Calls by the test itself, each with a new token if none is given. */
function apiOf(version, url, credentials) {
  const headers = { 'content-type': 'application/json' }
  const call = async (method, path, body, authorization) => {
    const response = await fetch(`${url}/api/${version === '2' ? 'v1' : 'v2'}${path}`, {
      method,
      headers: { ...headers, authorization: authorization ?? (await call.authorization()) },
      body: body && JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
  call.authorization = async () => {
    if (version === '2') return `Basic ${btoa(`${credentials.username}:${credentials.password}`)}`
    const body = JSON.stringify(credentials)
    const { access_token } = await (await fetch(`${url}/auth/token`, { method: 'POST', headers, body })).json()
    return `Bearer ${access_token}`
  }
  return call
}
