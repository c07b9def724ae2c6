import { expect, test } from 'vitest'
import { readOperations } from '../helpers/operations.ts'
import { inTurn } from '../helpers/pair.ts'
import { PATHOLOGICAL } from '../helpers/pathological.ts'
import { sweepPathological } from './sweeps/pathological.ts'

const operations = await readOperations()

const counted = sweepPathological(operations, {
  // All bodies are read by the same few schemas: those of one call meet every text, the others some, in turn.
  pair: (items, ways, each) => inTurn(operations, ['POST /api/v1/users/'])(items, ways, each || 4),
  pairParameters: inTurn(operations, []),
  kinds: PATHOLOGICAL,
})

// Last in the file, because it counts the calls of all tests before it.
test('the sweep makes at least 1,500 calls', () => {
  expect(counted.calls).toBeGreaterThanOrEqual(1500)
})
