import { streamToParent } from '../../worker.ts'
import { judge } from './judge.ts'

await streamToParent(judge)
