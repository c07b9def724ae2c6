import { readOperations } from '../helpers/operations.ts'
import { everyWay } from '../helpers/pair.ts'
import { sweepContentTypes } from './sweeps/content-types.ts'

sweepContentTypes(await readOperations(), everyWay)
