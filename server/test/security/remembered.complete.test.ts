import { readOperations } from '../helpers/operations.ts'
import { everyWay } from '../helpers/pair.ts'
import { sweepRemembered } from './sweeps/remembered.ts'

sweepRemembered(await readOperations(), everyWay)
