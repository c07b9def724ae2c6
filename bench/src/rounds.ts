import type { Run } from './load.ts'
import { median, rounded } from './results.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const WARM_UP_SECONDS = 3

/** The median of the rounds, and the lowest and highest of them. */
export type Spread = { median: number; lowest: number; highest: number }

/** Requests per second, and CPU time per request in milliseconds. Medians of the rounds. */
export type Figures = { perSecond: number; server: number; postgres: number; client: number }

type Options<Item> = { rounds?: number; seconds?: number; onFailure?(item: Item, error: unknown): void }

/** Measures all items in each round, and starts each round with another one. An item that fails is left out. */
export async function measureInRounds<Item>(
  items: Item[],
  run: (item: Item, seconds: number) => Promise<Run>,
  { rounds = ROUNDS, seconds = SECONDS, onFailure = rethrow }: Options<Item> = {},
): Promise<Map<Item, Run[]>> {
  const runs = new Map<Item, Run[]>(items.map((item) => [item, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const item of rotated([...runs.keys()], round)) {
      try {
        // The first round warms up: the code of a server is compiled only after it has run many times.
        const result = await run(item, round === 0 ? WARM_UP_SECONDS : seconds)
        if (round > 0) runs.get(item)?.push(result)
      } catch (error) {
        runs.delete(item)
        onFailure(item, error)
      }
    }
  }
  return runs
}

function rethrow(_item: unknown, error: unknown) {
  throw error
}

function rotated<Item>(list: Item[], by: number) {
  const start = by % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/** Ours divided by theirs, round by round. */
export function ratio(ours: Run[], theirs: Run[], figure: 'perSecond' | 'p99'): Spread {
  return spread(ours.map((run, round) => run[figure] / (theirs[round]?.[figure] ?? Number.NaN)))
}

export function spread(values: number[]): Spread {
  return {
    median: rounded(median(values)),
    lowest: rounded(Math.min(...values)),
    highest: rounded(Math.max(...values)),
  }
}

export function figures(runs: Run[]): Figures {
  const of = (figure: (run: Run) => number) => rounded(median(runs.map(figure)))
  return {
    perSecond: of((run) => run.perSecond),
    server: of((run) => run.cpu.server),
    postgres: of((run) => run.cpu.postgres),
    client: of((run) => run.cpu.client),
  }
}
