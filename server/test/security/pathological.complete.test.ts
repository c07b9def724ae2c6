import { expect, test } from 'vitest'
import { readOperations } from '../helpers/operations.ts'
import { everyWay, inTurn } from '../helpers/pair.ts'
import { PATHOLOGICAL } from '../helpers/pathological.ts'
import { sweepPathological } from './sweeps/pathological.ts'

const operations = await readOperations()

const counted = sweepPathological(operations, {
  pair: everyWay,
  pairParameters: inTurn(operations, []),
  kinds: PATHOLOGICAL,
})

// Last in the file, because it counts the calls of all tests before it.
test('the sweep makes at least 3,000 calls', () => {
  expect(counted.calls).toBeGreaterThanOrEqual(3000)
})
