import { readOperations } from '../helpers/operations.ts'
import { sweepGenerated } from './sweeps/fuzz.ts'

const RUNS = Number(process.env.FUZZ_RUNS ?? 1000)

sweepGenerated(await readOperations(), RUNS, ['200', '201', '204', '400', '404', '412', '415', '422'])
