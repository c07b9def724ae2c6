import type { Run } from './load.ts'
import { median, rounded } from './results.ts'
import { IS_SHORT, setting } from './settings.ts'

/** Many short rounds: the speed of a shared machine changes from one second to the next. */
const ROUNDS = setting('BENCH_ROUNDS', 15, 1)
const SECONDS = setting('BENCH_SECONDS', 1, 0.2)
const WARM_UP_SECONDS = IS_SHORT ? SECONDS : 3
const RARE = 5

/** The median of the rounds, and the lowest and highest of them. */
export type Spread = { median: number; lowest: number; highest: number }

/** Requests per second, and CPU time per request in milliseconds. Medians of the rounds. */
export type Figures = { perSecond: number; server: number; postgres: number; client: number }

type Options<Item> = {
  rounds?: number
  seconds?: number
  /** Whether the item is measured only in every fifth round and in the last one. */
  isRare?(item: Item): boolean
  onFailure?(item: Item, error: unknown): void
}

/** The rounds in which an item was measured. */
export type Rounds = Map<number, Run>

/** Measures all items in each round, and starts each round with another one. An item that fails is left out. */
export async function measureInRounds<Item>(
  items: Item[],
  run: (item: Item, seconds: number) => Promise<Run>,
  { rounds = ROUNDS, seconds = SECONDS, isRare = () => false, onFailure = rethrow }: Options<Item> = {},
): Promise<Map<Item, Rounds>> {
  const runs = new Map<Item, Rounds>(items.map((item) => [item, new Map()]))
  for (let round = 0; round <= rounds; round += 1) {
    const isForAll = round % RARE === 0 || round === rounds
    const due = [...runs.keys()].filter((item) => isForAll || !isRare(item))
    for (const item of rotated(due, isForAll ? Math.ceil(round / RARE) : round)) {
      try {
        // The first round warms up: the code of a server is compiled only after it has run many times.
        const result = await run(item, round === 0 ? WARM_UP_SECONDS : seconds)
        if (round > 0) runs.get(item)?.set(round, result)
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

/** Ours divided by theirs, in each round in which both were measured. */
export function ratio(ours: Rounds, theirs: Rounds, figure: 'perSecond' | 'p99'): Spread {
  return spread(
    [...theirs].flatMap(([round, run]) => {
      const own = ours.get(round)
      return own ? [own[figure] / run[figure]] : []
    }),
  )
}

export function spread(values: number[]): Spread {
  return {
    median: rounded(median(values)),
    lowest: rounded(Math.min(...values)),
    highest: rounded(Math.max(...values)),
  }
}

export function figures(runs: Rounds): Figures {
  const of = (figure: (run: Run) => number) => rounded(median([...runs.values()].map(figure)))
  return {
    perSecond: of((run) => run.perSecond),
    server: of((run) => run.cpu.server),
    postgres: of((run) => run.cpu.postgres),
    client: of((run) => run.cpu.client),
  }
}
