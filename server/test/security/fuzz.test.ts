import { readOperations } from '../helpers/operations.ts'
import { sweepGenerated } from './sweeps/fuzz.ts'

sweepGenerated(await readOperations(), 100, ['200', '404', '422'])
