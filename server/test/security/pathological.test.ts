import { readOperations } from '../helpers/operations.ts'
import { inTurn } from '../helpers/pair.ts'
import { sweepPathological } from './sweeps/pathological.ts'

const operations = await readOperations()

/** One for each way to read a body. */
const pair = inTurn(operations, ['POST /api/v1/users/', 'POST /api/v1/source_import/sources'])

sweepPathological(operations, {
  pair,
  pairParameters: (items, ways) => pair(items, ways),
  kinds: ['combining marks', 'mixed'],
})
