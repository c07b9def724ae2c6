import { type Operation, readOperations } from '../helpers/operations.ts'
import { inTurn } from '../helpers/pair.ts'
import { sweepPathological } from './sweeps/pathological.ts'

const operations = await readOperations()

const pair = inTurn(operations, ['POST /api/v1/users/'])

function oneOfEach<Item extends { operation: Operation }>(items: Item[]) {
  return [...new Set(items.map(({ operation }) => operation))].flatMap((call, index) => {
    const own = items.filter(({ operation }) => operation === call)
    return own.slice(index % own.length).slice(0, 1)
  })
}

sweepPathological(operations, {
  pair,
  // One parameter of each call, in turn.
  pairParameters: (items, ways) => pair(oneOfEach(items), ways),
  kinds: ['mixed'],
})
