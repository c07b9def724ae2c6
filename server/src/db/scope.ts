import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../actor.ts'

/** Whether a caller may see a row: workspace admins see only what belongs to their workspace, which is in this column. */
export function isSeen({ seesEverything, workspace_id }: Actor, column: RawBuilder<unknown>) {
  return seesEverything ? sql<boolean>`true` : sql<boolean>`${column} = ${workspace_id}`
}
