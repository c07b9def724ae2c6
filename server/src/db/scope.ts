import type { Actor } from '../actor.ts'

/** One row, as far as a caller may see it: workspace admins see only what belongs to their workspace. */
export type Scope = { id: number } | { id: number; workspace_id: number }

export function scopeOf({ seesEverything, workspace_id }: Actor, id: number): Scope {
  return seesEverything ? { id } : { id, workspace_id }
}
