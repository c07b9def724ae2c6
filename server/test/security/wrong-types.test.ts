import { readOperations } from '../helpers/operations.ts'
import { sweepWrongTypes } from './sweeps/wrong-types.ts'

/** A body with nested fields and lists, one with choices, a list with filters, and a file. */
const REPRESENTATIVES = [
  'PUT /api/v1/workspaces/{id}',
  'POST /api/v1/users/change',
  'GET /api/v1/users/',
  'GET /api/v1/audit/file',
]

sweepWrongTypes(await readOperations(), ({ name }) => (REPRESENTATIVES.includes(name) ? Infinity : 3))
