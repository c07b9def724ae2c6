import type { OperationKindName } from '@watchdesk/contract/operations/kinds'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'
import { copyRows, createRowSet, insertRows } from '../../db/row-sets.ts'

export type NewOperation = {
  kind: OperationKindName
  name?: string | null | undefined
  bytes?: number | null | undefined
  platform?: Operation['platform']
  sheet_url?: string | null
  undoes_id?: number
  details?: Record<string, unknown>
}

export type EndedOperation = {
  counts: Operation['counts']
  rows_id?: number | null
  created_sheet_url?: string | null
  error?: string | null
  details?: Record<string, unknown>
}

/** In the transaction of the change, so that neither exists without the other. A job has created its import before. */
export async function beginOperation(trx: Trx, actor: Actor, given: NewOperation, existing_id?: number) {
  if (existing_id !== undefined) return existing_id
  const { details, ...values } = given
  const { id } = await trx
    .insertInto('operations')
    .values({
      ...values,
      details: JSON.stringify(details ?? {}),
      state: 'done',
      created_by: actor.id,
      created_by_name: actor.name,
      started_at: sql<Date>`clock_timestamp()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function endOperation(trx: Trx, id: number, { counts, details, ...ended }: EndedOperation) {
  await trx
    .updateTable('operations')
    .set({
      ...ended,
      ...(details && { details: sql`details || ${JSON.stringify(details)}::jsonb` }),
      counts: JSON.stringify(counts),
      state: ended.error ? 'failed' : 'done',
      started_at: sql`coalesce(started_at, created_at)`,
      finished_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

type FailedOperation = NewOperation & { error: string; rows?: RowsToSave }

export async function recordFailure(rights: Rights, actor: Actor, { error, rows, ...given }: FailedOperation) {
  await rights.write(actor, async (trx) => {
    const id = await beginOperation(trx, actor, given)
    await endOperation(trx, id, {
      error,
      counts: rows?.counts ?? {},
      rows_id: rows ? await saveFewRows(trx, rows) : null,
    })
  })
}

type Counts = Operation['counts']

/** Keeps the rows of an operation, of which `query` selects `cells` and `place`. Returns the id of the set. */
export async function saveRows(trx: Trx, header: readonly string[], outcomes: Counts, query: RawBuilder<unknown>) {
  const row_count = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
  return (await copyRows(trx, { header, row_count, outcomes }, query)).rows_id
}

export type RowsToSave = { header: string[]; rows: string[][]; counts: Counts }

export async function saveFewRows(trx: Trx, { header, rows, counts }: RowsToSave) {
  const id = await createRowSet(trx, { header, row_count: rows.length, outcomes: counts })
  await insertRows(trx, id, 0, rows, header.indexOf('outcome'))
  return id
}
