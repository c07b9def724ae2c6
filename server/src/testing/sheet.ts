import type { NewSheet } from '../adapters/sheets/sheets.ts'

export type GivenSheet = Partial<Pick<NewSheet, 'title' | 'header' | 'outcomeColumn'>> & { rows?: string[][] }

/** A sheet to be made, of which a test gives what it looks at. */
export function newSheet({ rows = [], ...given }: GivenSheet = {}): NewSheet {
  return { title: 'A sheet', header: ['a', 'b'], row_count: rows.length, rows: [rows], ...given }
}
