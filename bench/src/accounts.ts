import { cpus } from 'node:os'
import type { Contender, WorkName } from './contender.ts'
import { type Latency, measureLatency } from './latency.ts'
import { isSlow, load } from './load.ts'
import { openBench } from './open.ts'
import { startPeers } from './peers/peers.ts'
import { median, saveResults } from './results.ts'
import { type Figures, figures, measureInRounds, type Rounds, ratio, type Spread } from './rounds.ts'
import { requireSameJson } from './same-json.ts'
import { IS_SHORT } from './settings.ts'
import { ourWorks } from './works.ts'

/**
 * Lists of a million users, reading, editing and creating: compared with the baseline, and with other admin servers if
 * `--peers` is given, in rounds that alternate between all of them. `report.ts` compares the figures with the targets.
 */
const AT_50_CONNECTIONS: WorkName[] = ['list page 1', 'list, last page', 'read one', 'edit one', 'create one']
const PEERS = ['AdminJS', 'NestJS + TypeORM', 'Directus']

export type Accounts = {
  machine: string
  works: Partial<Record<WorkName, Record<string, Figures>>>
  /** Our requests per second divided by theirs. */
  ratios: Partial<Record<WorkName, Record<string, Spread>>>
  /** The 99th percentile of the latency in milliseconds with 50 connections, and ours divided by the baseline's. */
  p99: Partial<Record<WorkName, { watchdesk: number; baseline: number; ratio: Spread }>>
  latency: Latency
  missing: { name: string; reason: string }[]
}

const bench = await openBench('data')
const watchdesk = await bench.start('Watchdesk')
const baseline = await bench.start('Baseline')
const peers = process.argv.includes('--peers')
  ? await startPeers(bench.databaseUrl)
  : { contenders: [], missing: PEERS.map((name) => ({ name, reason: 'measured only with --peers' })) }
const contenders = [watchdesk, baseline, ...peers.contenders]
const missing = [...peers.missing]
try {
  await requireSameJson(watchdesk, baseline)
  const works: Accounts['works'] = {}
  const ratios: Accounts['ratios'] = {}
  const p99: Accounts['p99'] = {}
  const latency = await measureLatency(watchdesk)
  for (const name of Object.keys(ourWorks()) as WorkName[]) {
    const { ours, others } = await measure(contenders, name, { connections: 10 })
    works[name] = { Watchdesk: figures(ours) }
    ratios[name] = {}
    for (const [other, runs] of others) {
      works[name][other.name] = figures(runs)
      ratios[name][other.name] = ratio(ours, runs, 'perSecond')
    }
  }
  for (const name of AT_50_CONNECTIONS) {
    const { ours, others } = await measure([watchdesk, baseline], name, {
      connections: 50,
      ...(!IS_SHORT && { seconds: 2 }),
    })
    const theirs = others.get(baseline) ?? new Map()
    p99[name] = { watchdesk: medianP99(ours), baseline: medianP99(theirs), ratio: ratio(ours, theirs, 'p99') }
  }
  await saveResults({ accounts: { machine: machine(), works, ratios, p99, latency, missing } satisfies Accounts })
} finally {
  for (const contender of contenders) await contender.stop()
  await bench.stop()
}

type Settings = { connections: number; seconds?: number }

async function measure(all: Contender[], name: WorkName, { connections, ...settings }: Settings) {
  console.log(`Measuring: ${name}, ${connections} connections …`)
  const items = all.flatMap((contender) => {
    const work = contender.works[name]
    return work ? [{ contender, work }] : []
  })
  const runs = await measureInRounds(
    items,
    ({ contender, work }, seconds) => load(bench, [contender], { work, connections, seconds }),
    {
      ...settings,
      isRare: ({ work }) => isSlow(work),
      onFailure({ contender }, error) {
        if (!peers.contenders.includes(contender)) throw error
        missing.push({ name: `${contender.name}, ${name}`, reason: (error as Error).message })
      },
    },
  )
  const others = new Map([...runs].map(([{ contender }, list]) => [contender, list]))
  const ours = others.get(watchdesk) ?? new Map()
  others.delete(watchdesk)
  return { ours, others }
}

function machine() {
  return `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
}

function medianP99(rounds: Rounds) {
  return median([...rounds.values()].map(({ p99 }) => p99))
}
