import { MORE_HOSTILE_FILES } from '../helpers/hostile-files.ts'
import { sweepHostileFiles } from './sweeps/hostile-files.ts'

sweepHostileFiles(MORE_HOSTILE_FILES)
