import { USERS_IN_AN_IMPORT } from '@watchdesk/contract/limits'
import type { UsersImport } from '@watchdesk/contract/users-import'
import type { Actor } from '../../actor.ts'
import type { Db, Trx } from '../../db/open.ts'
import { conflict, found, invalid } from '../../problem.ts'
import { beginOperation } from '../operations/record.ts'
import { requireWorkspace } from '../users/facts.ts'

/** The import of all calls of one run, so far. */
export type Run = Awaited<ReturnType<typeof earlierRun>>

/** Checked again when the rows are added. */
export async function checkOpen(db: Db, actor: Actor, body: UsersImport) {
  await requireWorkspace(db, body.workspace_id)
  if (body.import_id !== undefined) await earlierRun(db, actor, body, body.import_id)
}

/** Locks the import, so that calls of one run wait for each other. */
export async function beginOrContinue(trx: Trx, actor: Actor, body: UsersImport): Promise<Run> {
  const { import_id, workspace_id, rows_count, name = null } = body
  if (import_id !== undefined) {
    // In a statement of its own: one that also read the set would see how many rows it had before it had to wait.
    const own = trx.selectFrom('operations').select('id').where('id', '=', import_id).where('created_by', '=', actor.id)
    await own.forUpdate().execute()
    return earlierRun(trx, actor, body, import_id)
  }
  checkCount(rows_count, body.rows.length)
  const details = { workspace_id, rows_count }
  const id = await beginOperation(trx, actor, { kind: 'users_import', name, details })
  return { id, name, ...details, rows_id: null, done_count: 0, counts: {}, event_id: null }
}

function checkCount(rows_count: number, sent: number) {
  if (sent > rows_count) throw invalid('rows_count', 'These are more rows than the import was to have.')
}

async function earlierRun(db: Db, actor: Actor, { workspace_id, rows }: UsersImport, import_id: number) {
  const row = await db
    .selectFrom('operations')
    .leftJoin('row_sets', 'row_sets.id', 'operations.rows_id')
    .selectAll('operations')
    .select('row_sets.row_count')
    .where('operations.id', '=', import_id)
    .where('operations.kind', '=', 'users_import')
    .where('operations.created_by', '=', actor.id)
    .executeTakeFirst()
  const { id, name, rows_id, counts, details, row_count, is_undone, is_purged } = found(row, 'Import')
  if (is_undone) throw conflict('The import was undone, so no more users can be added to it.')
  if (is_purged) throw conflict('The import is too old to add more users to it. Start a new one.')
  if (details.workspace_id !== workspace_id)
    throw invalid('workspace_id', 'All users of an import are added to the same workspace.')
  const done_count = row_count ?? 0
  if (done_count + rows.length > USERS_IN_AN_IMPORT)
    throw invalid('rows', `Add at most ${USERS_IN_AN_IMPORT.toLocaleString('en')} users at a time.`)
  const rows_count = Number(details.rows_count)
  checkCount(rows_count, done_count + rows.length)
  const event_id = (details.event_id ?? null) as number | null
  return { id, name, workspace_id, rows_count, rows_id, done_count, counts, event_id }
}
