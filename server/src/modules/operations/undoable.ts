import { sql } from 'kysely'
import type { Db, Trx } from '../../db/open.ts'
import { conflict, found } from '../../problem.ts'
import type { Chain, OperationKinds, OperationRow } from './kind.ts'

export const NOTHING_TO_UNDO = 'The import changed nothing, so there is nothing to undo.'
const IN_BACKGROUND = 'It is already being undone in the background. Wait until that has ended, or cancel it.'
const ONCE =
  'It was undone and redone before, which works only once. To change it again, edit the records or make a new change.'

/** Why an import cannot be undone now, other than by the undo of a job. Null if it can. */
export function problemOf(kinds: OperationKinds, job_import_id = 0) {
  const never = Object.entries(kinds).flatMap(([kind, { undo }]) =>
    typeof undo === 'string' ? sql`when operations.kind = ${kind} then ${undo}::text` : [],
  )
  const leaving = Object.values(kinds).flatMap(({ leavesRecords = [] }) => leavesRecords)
  return sql<string | null>`case
    ${sql.join(never, sql` `)}
    when operations.state in ('queued', 'running') then 'The import is still running. Cancel it instead.'
    when operations.state <> 'done' or operations.counts ->> 'changed' = '0' or operations.details -> 'event_id' = 'null'
      then ${NOTHING_TO_UNDO}::text
    when operations.details ->> 'action' = any(${leaving}::text[]) then 'This cannot be undone.'
    when operations.is_purged then 'It is too old to be undone: what it changed is no longer kept.'
    when operations.is_undone then 'It is already undone.'
    when exists (select from operations as undo where undo.undoes_id = operations.id
      and undo.state in ('queued', 'running') and undo.id <> ${job_import_id}::int) then ${IN_BACKGROUND}::text
    when exists (select from operations as undo where undo.undoes_id = operations.id and undo.state = 'done') or exists (select from operations as earlier
      where earlier.id = operations.undoes_id and earlier.undoes_id is not null) then ${ONCE}::text end`
}

export async function findOperation(db: Db, kinds: OperationKinds, id: number, job_import_id?: number) {
  const query = db.selectFrom('operations').selectAll().select(problemOf(kinds, job_import_id).as('problem'))
  return found(await query.where('id', '=', id).executeTakeFirst(), 'Import')
}

/** Locks both, so that two people cannot undo them at once, and what was changed is not purged meanwhile. */
export async function lockChain(trx: Trx, kinds: OperationKinds, id: number, job_import_id?: number): Promise<Chain> {
  const check = async () => {
    const asked = await findOperation(trx, kinds, id, job_import_id)
    if (asked.problem !== null) throw conflict(asked.problem)
    return chainOf(trx, kinds, asked)
  }
  // A job has the lock until it ends, and nobody should wait for that.
  const { first, target } = await check()
  const both = trx.selectFrom('operations').select('id').where('id', 'in', [first.id, target.id])
  await both.orderBy('id').forUpdate().execute()
  return check()
}

/** An undo is undone in the same way as its import. */
export async function chainOf(db: Db, kinds: OperationKinds, target: OperationRow): Promise<Chain> {
  const first = target.undoes_id === null ? target : await findOperation(db, kinds, target.undoes_id)
  const { undo: kind } = kinds[first.kind]
  if (typeof kind !== 'object') throw new Error(`An operation of the kind ${first.kind} cannot be undone`)
  return { target, first, kind }
}
