import { streamToParent } from '../../worker.ts'
import { checkImport } from './check-import.ts'

await streamToParent(checkImport)
