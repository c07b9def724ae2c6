import { streamToParent } from '../../worker.ts'
import { rowsOf } from './rows.ts'
import type { TableKind } from './tables.ts'

await streamToParent(({ path, kind }: { path: string; kind: TableKind }) => rowsOf(path, kind))
