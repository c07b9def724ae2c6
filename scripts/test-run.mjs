import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { measureProcessorTime } from './processor-time.mjs'
import { root } from './setup.mjs'

/** Runs a command, with its output in a log and on the terminal: at once, or together at the end. */
export async function runPart(name, [command, args], { env, log: path, isAlone }) {
  const begin = performance.now()
  if (isAlone) console.log(`\n== ${name}`)
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CHROMIUM_PATH: '', ...env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
  })
  const processor = measureProcessorTime(child.pid)
  const log = createWriteStream(path)
  for (const output of [child.stdout, child.stderr]) {
    if (isAlone) output.pipe(process.stdout, { end: false })
    output.pipe(log, { end: false })
  }
  const closed = once(child, 'close')
  const [status] = await once(child, 'exit')
  // Its child processes may keep the pipe open.
  await Promise.race([closed, setTimeout(5000)])
  for (const output of [child.stdout, child.stderr]) output.unpipe()
  log.end()
  await finished(log)
  if (!isAlone) console.log(`\n== ${name}\n${readFileSync(path, 'utf8').trimEnd()}`)
  const seconds = processor.seconds()
  processor.stop()
  return { name, hasPassed: status === 0, wall: (performance.now() - begin) / 1000, processor: seconds }
}
