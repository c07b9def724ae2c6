import { readOperations } from '../helpers/operations.ts'
import { inTurn } from '../helpers/pair.ts'
import { sweepRevocation } from './sweeps/revocation.ts'

const operations = await readOperations()

/** One for each function of `db/rights.ts`, and for each way to read a body. */
const REPRESENTATIVES = [
  'POST /api/v1/workspaces/',
  'PATCH /api/v1/users/{id}',
  'POST /api/v1/users/change',
  'DELETE /api/v1/workspaces/{id}',
  'POST /api/v1/source_import/sources',
  'PUT /api/v1/sheets/{id}/file',
]

sweepRevocation(operations, inTurn(operations, REPRESENTATIVES))
