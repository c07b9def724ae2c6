import { sql } from 'kysely'
import { countOutcomes } from '../../src/adapters/sheets/local.ts'
import type { NewSheet } from '../../src/adapters/sheets/sheets.ts'

export type GivenSheet = Partial<Pick<NewSheet, 'title' | 'origin' | 'header'>> & {
  rows?: string[][]
  outcomeColumn?: string
}

/** A new sheet with defaults for the fields that a test does not set. */
export function newSheet({ rows = [], outcomeColumn, ...given }: GivenSheet = {}): NewSheet {
  const query = sql`select place, array(select jsonb_array_elements_text(row)) as cells
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as given (row, place)`
  const header = given.header ?? ['a', 'b']
  const outcomes = outcomeColumn && {
    column: outcomeColumn,
    counts: countOutcomes(rows, header.indexOf(outcomeColumn)),
  }
  return {
    title: 'A sheet',
    origin: 'source_management',
    header,
    row_count: rows.length,
    rows: { query, parts: () => [rows] },
    ...(outcomes && { outcomes }),
    ...given,
  }
}
