import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The machine lacks a requirement of the test. Not a failure, so it has its own exit code. */
export class CannotTest extends Error {}

/** The Python versions that both Airflow versions support. */
const VERSIONS = ['3.12', '3.11', '3.10']
const UNREACHABLE =
  /No matching distribution|from versions: none|Failed to establish|Max retries|ConnectTimeout|ReadTimeout|ProxyError|resolution|unreachable|SSLError|error sending request|dns error|Connection refused/i

export function findPython() {
  const paths = (process.env.PATH ?? '').split(delimiter)
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions')
  for (const version of VERSIONS) {
    const installed = namesIn(pyenv).filter((name) => name.startsWith(`${version}.`))
    const folders = [...paths, ...installed.map((name) => join(pyenv, name, 'bin'))]
    // A command on the PATH may be a broken shim, so it is run.
    const python = folders.map((folder) => join(folder, `python${version}`)).find(hasRequiredModules)
    if (python) return python
  }
  throw new CannotTest(`No Python ${VERSIONS.join(', ')} with venv and sqlite3 is on the PATH or under ~/.pyenv.`)
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function hasRequiredModules(python) {
  return spawnSync(python, ['-c', 'import ensurepip, sqlite3, ssl, venv'], { stdio: 'ignore' }).status === 0
}

/** A virtual environment with exactly the packages in the list. */
export function install(python, folder, requirements) {
  run(python, ['-m', 'venv', folder])
  const own = join(folder, 'bin/python')
  const hasUv = spawnSync('uv', ['--version'], { stdio: 'ignore' }).status === 0
  const list = ['install', '--quiet', '--no-deps', '-r', requirements]
  if (hasUv) run('uv', ['pip', ...list, '--python', own])
  else run(own, ['-m', 'pip', '--disable-pip-version-check', ...list, '--retries', '2', '--timeout', '30'])
  return join(folder, 'bin')
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status === 0) return
  const output = error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n')
  if (UNREACHABLE.test(output)) throw new CannotTest(`Airflow cannot be fetched: PyPI is unreachable.\n${output}`)
  throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
}
