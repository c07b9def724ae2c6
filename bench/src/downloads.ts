import { setTimeout as wait } from 'node:timers/promises'
import type { Contender } from './contender.ts'
import { openBench } from './open.ts'
import { median, rounded, saveResults } from './results.ts'
import { type Spread, spread } from './rounds.ts'
import { IS_SHORT, setting } from './settings.ts'

/** Many large downloads at once, while somebody else lists users, one request after the other. */
const ROUNDS = setting('BENCH_ROUNDS', 5, 1)
const USERS = setting('BENCH_DOWNLOADED_USERS', 60_000, 10_000)
const DOWNLOADS = setting('BENCH_DOWNLOADS', 20, 3)
const IDLE_MS = IS_SHORT ? 200 : 3000

export type DownloadFigures = { ratio: Spread; figures: Record<string, number> }

const bench = await openBench('data-downloads', USERS)
const server = await bench.start('Watchdesk')
try {
  await measure()
} finally {
  await server.stop()
  await bench.stop()
}

async function measure() {
  const idle: number[] = []
  const busy: number[] = []
  const seconds: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const quiet = await meanwhile(server, () => wait(IDLE_MS))
    const began = performance.now()
    const during = await meanwhile(server, () => Promise.all(Array.from({ length: DOWNLOADS }, () => download(server))))
    // The first round warms up.
    if (round === 0) continue
    idle.push(median(quiet))
    busy.push(median(during))
    seconds.push((performance.now() - began) / 1000)
  }
  const downloads: DownloadFigures = {
    ratio: spread(busy.map((ms, round) => ms / (idle[round] ?? Number.NaN))),
    figures: {
      'users in each file': USERS,
      'files at once': DOWNLOADS,
      'until all are complete, s': rounded(median(seconds)),
      'a page of users, idle, ms': rounded(median(idle)),
      'a page of users meanwhile, ms': rounded(median(busy)),
    },
  }
  console.table({ ...downloads.figures, 'times as long': downloads.ratio.median })
  await saveResults({ downloads })
}

/** Fails if the file is refused or cut off. */
async function download({ url, headers }: Contender) {
  const response = await fetch(`${url}/api/v1/users/file?format=xlsx`, { headers })
  if (response.status !== 200) throw new Error(`A download was answered with ${response.status}`)
  await response.arrayBuffer()
}

/** The milliseconds of each list during the work. */
async function meanwhile({ url, headers }: Contender, work: () => Promise<unknown>) {
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  const waits: number[] = []
  while (!isDone) {
    const began = performance.now()
    const response = await fetch(`${url}/api/v1/users/`, { headers })
    if (response.status !== 200) throw new Error(`A list was answered with ${response.status}`)
    await response.arrayBuffer()
    waits.push(performance.now() - began)
    await wait(10)
  }
  await working
  return waits
}
