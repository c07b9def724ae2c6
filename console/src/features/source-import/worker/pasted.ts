import { parseCsv } from '@watchdesk/contract/csv-parser'
import { TableError } from '@watchdesk/contract/table-error'

/** The rows and cells of text that was copied from a spreadsheet or a list. A line break at the end adds no row. */
export function pastedCells(text: string): string[][] {
  const rows: string[][] = []
  const parser = parseCsv('\t', ({ cells }) => rows.push(cells))
  try {
    parser.write(text)
    parser.end()
    return rows
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    // A quotation mark that is not closed is part of the text.
    const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
    return lines.map((line) => line.split('\t'))
  }
}
