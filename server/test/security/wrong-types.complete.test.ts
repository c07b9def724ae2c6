import { readOperations } from '../helpers/operations.ts'
import { sweepWrongTypes } from './sweeps/wrong-types.ts'

sweepWrongTypes(await readOperations(), () => Infinity)
