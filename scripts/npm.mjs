// npm, for set-up and for benchmarks that install what they compare Watchdesk with.
import { runToEnd } from './start-server.mjs'

/** The registry is unreachable. Not a failure of what is installed. */
export class RegistryUnreachable extends Error {}

const NETWORK = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|E5\d\d)\b/

/**
 * The command line of npm, run with the same Node.
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export function npm(...args) {
  const script = process.env.npm_execpath
  return script?.endsWith('.js') ? [process.execPath, [script, ...args]] : ['npm', args]
}

/**
 * Installs the dependencies of that folder's package.json without running their scripts.
 * @param {string} folder
 * @param {AbortSignal} [signal]
 */
export async function install(folder, signal) {
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--fetch-retries=1']
  const [command, args] = npm('install', '--prefix', folder, ...options)
  const { code, output } = await runToEnd([command, ...args], process.env, { cwd: folder, signal })
  if (code === 0) return
  if (NETWORK.test(output)) throw new RegistryUnreachable('The npm registry is unreachable.')
  throw new Error(`npm install failed:\n${output.trim()}`)
}
