import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAirflowUrl, startAirflow } from './airflow/airflow.mjs'
import { stopAll } from './airflow/processes.mjs'
import { CannotTest, findPython, install } from './airflow/python.mjs'
import { runScenario } from './airflow/scenario.mjs'
import { startWatchdesk } from './airflow/watchdesk.mjs'
import { readCommandLine } from './command-line.mjs'
import { root, setup } from './setup.mjs'

/**
 * Tests Watchdesk with a real Airflow 2.x and 3.x, installed just for this. `npm run test:airflow -- 3` runs one of
 * them.
 */
const EX_TEMPFAIL = 75
const { operands } = readCommandLine('test:airflow')
const versions = operands.length > 0 ? operands : ['2', '3']
const summary = []

setup()
const home = mkdtempSync(join(tmpdir(), 'watchdesk-airflow-'))
// PostgreSQL does not run as root: its user needs access to the folder.
chmodSync(home, 0o755)
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => end(130))

try {
  const python = findPython()
  for (const version of versions) await tryVersion(version, python)
  await end(0)
} catch (error) {
  console.error(error instanceof CannotTest ? `\nNot tested. ${error.message}` : error)
  await end(error instanceof CannotTest ? EX_TEMPFAIL : 1)
}

async function tryVersion(version, python) {
  const folder = join(home, version)
  mkdirSync(folder)
  console.log(`\nAirflow ${version}.x with ${python}: installing …`)
  const bin = install(python, join(folder, 'python'), join(root, `scripts/airflow/airflow-${version}.txt`))

  const url = await findAirflowUrl()
  const credentials = { username: 'watchdesk', password: 'a password of Airflow 7' }
  const watchdesk = await startWatchdesk({
    home: folder,
    settings: {
      AIRFLOW_URL: url,
      AIRFLOW_VERSION: version,
      AIRFLOW_USERNAME: credentials.username,
      AIRFLOW_PASSWORD: credentials.password,
    },
  })
  const env = { WATCHDESK_URL: watchdesk.url }
  const airflow = await startAirflow({ version, bin, home: join(folder, 'airflow'), url, credentials, env })
  await airflow.ready()
  const title = `Airflow ${airflow.version}`
  console.log(`${title} is up at ${url}, Watchdesk at ${watchdesk.url}`)

  const { createAirflow } = await import('../server/dist/adapters/airflow/airflow.js')
  const adapter = (more) => createAirflow({ url, version, ...credentials, dagId: 'vectorize_narrative', ...more })
  const step = async (name, work) => {
    const begin = Date.now()
    try {
      await work()
    } catch (error) {
      console.error(`\n${airflow.logs()}\n-- Watchdesk\n${watchdesk.logs().slice(-2500)}`)
      note(`FAILED  ${title}: ${name}`)
      throw error
    }
    note(`ok      ${title}: ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`)
  }
  await runScenario({ airflow, watchdesk, adapter, version, step })
  await stopAll()
  // Frees the disk space before the next version is installed.
  rmSync(folder, { recursive: true, force: true })
}

function note(line) {
  console.log(line)
  summary.push(line)
}

async function end(code) {
  await stopAll()
  rmSync(home, { recursive: true, force: true })
  if (summary.length > 0) console.log(`\n${summary.join('\n')}`)
  process.exit(code)
}
