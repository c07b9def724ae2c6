import { sql } from 'kysely'

/** Exports change nothing that could be undone. */
export const UNDOABLE = sql<boolean>`(imports.state = 'done' and imports.kind <> 'export')`
