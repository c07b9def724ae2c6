import { rowsOf } from '../../adapters/tables/rows.ts'
import type { TableKind } from '../../adapters/tables/tables.ts'
import { streamToParent } from '../../worker.ts'
import { storyLines } from './story-lines.ts'

await streamToParent(({ path, kind }: { path: string; kind: TableKind }) => storyLines(rowsOf(path, kind)))
