import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Server, startServer } from '../../scripts/start-server.mjs'
import { processorSeconds, residentBytes } from './process-usage.ts'
import { median, rounded, saveResults } from './results.ts'
import { setting } from './settings.ts'

/** The time from the command to the first response, on an existing data directory, and the memory used then. */
const ROUNDS = setting('BENCH_ROUNDS', 5, 1)

const DATA_DIR = await mkdtemp(join(tmpdir(), 'watchdesk-bench-'))
await chmod(DATA_DIR, 0o755)
const settings = { DATA_DIR, PORT: '0', LOG_LEVEL: 'warn' }
await (await startServer(settings)).stop()

const seconds = []
const cpuSeconds = []
const megabytes = []
for (let round = 0; round < ROUNDS; round += 1) {
  const began = performance.now()
  const server = await startServer(settings)
  await firstResponse(server)
  seconds.push((performance.now() - began) / 1000)
  cpuSeconds.push(await processorSeconds(server))
  megabytes.push((await residentBytes(server)) / 1e6)
  await server.stop()
}
const results = {
  'start to the first 200, s': rounded(median(seconds)),
  // CPU time, which does not depend on the load of the machine.
  'of these, processor time of Node, s': rounded(median(cpuSeconds)),
  'resident after the start, MB': Math.round(median(megabytes)),
}
console.table(results)
await saveResults({ start: results })
await rm(DATA_DIR, { recursive: true })

async function firstResponse({ url }: Server) {
  const { status } = await fetch(`${url}/health/ready`)
  if (status !== 200) throw new Error(`The server is not ready: ${status}`)
}
