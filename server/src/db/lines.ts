import { sql } from 'kysely'

const CELL_END = '\u001f'
const ROW_END = '\u001e'

/** What neither PostgreSQL nor XML can hold, and the two marks that keep cells and rows apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu

/** A cell without the control characters that no spreadsheet shows. */
export function writable(cell: string) {
  return cell.replace(UNWRITABLE, '')
}

/**
 * Many rows as one parameter, to select `cells` and their `place` from, which counts from 1. As fast as COPY, and one
 * text costs the event loop a fourth of what arrays do. Cells are `writable`, and the first row is not a single empty one.
 */
export function asTable(rows: readonly (readonly string[])[]) {
  const text = rows.map((cells) => cells.join(CELL_END)).join(ROW_END)
  return sql`(select place, string_to_array(line, ${CELL_END}) as cells
    from string_to_table(${text}, ${ROW_END}) with ordinality as lines (line, place)) as input`
}
