import { streamToParent } from '../../worker.ts'
import { spoolFile } from './source-file.ts'

await streamToParent(spoolFile)
