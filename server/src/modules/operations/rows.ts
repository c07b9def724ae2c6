import type { NewSheet } from '../../adapters/sheets/sheets.ts'
import type { Trx } from '../../db/open.ts'
import { copyRows, createRowSet, insertRows } from '../../db/row-sets.ts'

/** Keeps the rows of an import that has no sheet in our database. Returns the id of the set. */
export async function keepRows(trx: Trx, { header, row_count, rows, outcomes }: Omit<NewSheet, 'title' | 'origin'>) {
  const counts = outcomes ? JSON.stringify(outcomes.counts) : null
  const id = await createRowSet(trx, { header: [...header], row_count, outcomes: counts })
  await copyRows(trx, id, rows, outcomes ? header.indexOf(outcomes.column) : -1)
  return id
}

/** Rows in memory; the last column is the outcome. */
export type KeptRows = { header: string[]; rows: string[][]; counts: Record<string, number> }

export async function keepFewRows(trx: Trx, { header, rows, counts }: KeptRows) {
  const outcomes = JSON.stringify(counts)
  const id = await createRowSet(trx, { header, row_count: rows.length, outcomes })
  await insertRows(trx, id, 0, rows, header.length - 1)
  return id
}
