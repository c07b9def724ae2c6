import { sql } from 'kysely'
import type { NewSheet } from '../../src/adapters/sheets/sheets.ts'

export type GivenSheet = Partial<Pick<NewSheet, 'title' | 'origin' | 'header' | 'outcomeColumn'>> & {
  rows?: string[][]
}

/** A new sheet with defaults for the fields that a test does not set. */
export function newSheet({ rows = [], ...given }: GivenSheet = {}): NewSheet {
  const query = sql`select place, array(select jsonb_array_elements_text(row)) as cells
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as given (row, place)`
  return {
    title: 'A sheet',
    origin: 'source_management',
    header: ['a', 'b'],
    row_count: rows.length,
    rows: { query, parts: () => [rows] },
    ...given,
  }
}
