import { readOperations } from '../helpers/operations.ts'
import { inTurn } from '../helpers/pair.ts'
import { sweepPathological } from './sweeps/pathological.ts'

const operations = await readOperations()

const pair = inTurn(operations, ['POST /api/v1/users/'])

sweepPathological(operations, {
  pair,
  pairParameters: (items, ways) => pair(items, ways),
  kinds: ['mixed'],
})
