import type { Actor } from '../actor.ts'

/** One row, as far as a caller may see it: workspace admins see only what belongs to their workspace. */
export type Scope = { id: number } | { id: number; workspace_id: number }

export function scopeOf({ seesEverything, workspace_id }: Actor, id: number): Scope {
  return seesEverything ? { id } : { id, workspace_id }
}

/** A shape of a query for one row: see `db/compile-once.ts`. */
export function rowShape<Query>(name: string, actor: Actor, id: number, build: (scope: Scope) => Query) {
  const scope = scopeOf(actor, id)
  return { key: `${name} ${'workspace_id' in scope ? 'of a workspace' : 'of any workspace'}`, values: scope, build }
}
