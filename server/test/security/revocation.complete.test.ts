import { readOperations } from '../helpers/operations.ts'
import { everyWay } from '../helpers/pair.ts'
import { sweepRevocation } from './sweeps/revocation.ts'

sweepRevocation(await readOperations(), everyWay)
