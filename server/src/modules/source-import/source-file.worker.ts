import { streamToParent } from '../../worker.ts'
import { checkSourceFile } from './source-file.ts'

await streamToParent(checkSourceFile)
