import type { Contender, WorkName } from './contender.ts'
import { pagesOf } from './inputs.ts'
import { load } from './load.ts'
import { type Bench, openBench } from './open.ts'
import { saveResults } from './results.ts'
import { type Figures, figures, measureInRounds } from './rounds.ts'
import { USERS } from './seed.ts'
import { IS_SHORT } from './settings.ts'
import { ourWorks } from './works.ts'

/** How the cost grows with the number of rows, of connections and of replicas, in rounds that alternate between them. */
const SIZES = IS_SHORT ? [USERS] : [10_000, 100_000, USERS]
const CONNECTIONS = [1, 10, 50]
const BY_SIZE: WorkName[] = [
  'list page 1',
  'list, middle page',
  'list by email, middle page',
  'search, part of an email',
  'read one',
  'edit one',
  'create one',
]
const BY_REPLICAS: WorkName[] = ['list page 1', 'read one', 'edit one', 'create one']

export type Point = Figures & { work: WorkName; users: number; connections: number; replicas: number }
export type Growth = { sizes: Point[]; replicas: Point[] }

type Side = { users: number; bench: Bench; replicas: Contender[] }

const sides: Side[] = []
const growth: Growth = { sizes: [], replicas: [] }
try {
  for (const users of SIZES) {
    const bench = await openBench(users === USERS ? 'data' : `data-${users}`, users)
    sides.push({ users, bench, replicas: [await bench.start('Watchdesk')] })
  }
  for (const work of BY_SIZE) {
    for (const connections of CONNECTIONS) growth.sizes.push(...(await measure(work, connections, sides)))
  }
  const one = sides[sides.length - 1] as Side
  const two = { ...one, replicas: [...one.replicas, await one.bench.start('Watchdesk')] }
  sides[sides.length - 1] = two
  for (const work of BY_REPLICAS) {
    for (const connections of CONNECTIONS.filter((count) => count > 1)) {
      growth.replicas.push(...(await measure(work, connections, [one, two])))
    }
  }
  await saveResults({ growth })
} finally {
  for (const { bench, replicas } of sides) {
    for (const replica of replicas) await replica.stop()
    await bench.stop()
  }
}

async function measure(work: WorkName, connections: number, those: Side[]): Promise<Point[]> {
  console.log(`Measuring: ${work}, ${connections} connections …`)
  const runs = await measureInRounds(
    those,
    ({ bench, users, replicas }, seconds) =>
      load(bench, replicas, { work: ourWorks(pagesOf(users))[work], connections, seconds }),
    {
      ...(!IS_SHORT && { rounds: 3, seconds: 1 }),
      // A server that is asked for more than it can do rejects requests.
      onFailure: ({ users }, error) => console.log(`Not measured with ${users} users: ${(error as Error).message}`),
    },
  )
  return [...runs].map(([{ users, replicas }, list]) => ({
    work,
    users,
    connections,
    replicas: replicas.length,
    ...figures(list),
  }))
}
