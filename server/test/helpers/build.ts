import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Worker threads run from the build, so it is brought up to date before the tests. */
export default function setup() {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-b', 'server'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The build that the workers run from failed:\n${stdout}`)
}
