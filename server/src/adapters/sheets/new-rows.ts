import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../db/open.ts'
import type { RowBatch } from '../../db/row-sets.ts'
import type { NewRows } from './sheets.ts'

const AT_ONCE = 500

/** The rows of a new sheet from a query for their `cells` and `place`. */
export function newRows(trx: Trx, query: RawBuilder<unknown>): NewRows {
  return { query, parts: () => inParts(trx, query) }
}

async function* inParts(trx: Trx, query: RawBuilder<unknown>): AsyncGenerator<RowBatch> {
  await sql`declare parts no scroll cursor for select cells from (${query}) as wanted order by place`.execute(trx)
  for (;;) {
    const { rows } = await sql<{ cells: string[] }>`fetch ${sql.lit(AT_ONCE)} from parts`.execute(trx)
    if (rows.length === 0) break
    yield rows.map(({ cells }) => cells)
  }
  await sql`close parts`.execute(trx)
}
