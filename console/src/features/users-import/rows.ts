import { parseCsv } from '@watchdesk/contract/csv-parser'
import { USERS_IN_AN_IMPORT } from '@watchdesk/contract/limits'
import { TableError } from '@watchdesk/contract/table-error'
import type { WrittenUser } from '@watchdesk/contract/user-row'
import { CELLS, cellsOf, cellsWithoutHeadings, type UserColumns, userColumns } from './cells.ts'

/** A person as written, with the number of the row or line. */
export type WrittenRow = { row: number; written: WrittenUser }

export type WrittenRows = {
  /** At most as many as can be added at a time. */
  rows: WrittenRow[]
  /** How many there are. */
  total: number
  /** The headings of columns that are not used. */
  ignored: string[]
  /** Why they cannot be read. */
  problem?: string
}

const NO_EMAILS = 'The file has no column with emails. Name it Email in the first row.'

/** Collects the rows of a table, with or without headings. */
export function tableRows() {
  const rows: WrittenRow[] = []
  let columns: UserColumns | 'none' | undefined
  let ignored: string[] = []
  let total = 0
  let problem: string | undefined

  return {
    add(cells: readonly string[], row: number) {
      if (problem !== undefined || cells.every((cell) => cell.trim() === '')) return
      if (columns === undefined) {
        const isPerson = cells.some((cell) => cell.includes('@'))
        columns = isPerson ? 'none' : userColumns(cells)
        if (columns === undefined) problem = NO_EMAILS
        else if (columns !== 'none') ignored = othersThan(columns, cells)
        if (!isPerson) return
      }
      total += 1
      if (rows.length === USERS_IN_AN_IMPORT || columns === undefined) return
      rows.push({ row, written: columns === 'none' ? cellsWithoutHeadings(cells) : cellsOf(cells, columns) })
    },
    count: () => total,
    finish: (): WrittenRows => ({ rows, total, ignored, ...(problem !== undefined && { problem }) }),
  }
}

function othersThan(columns: UserColumns, header: readonly string[]) {
  const used = Object.values(columns)
  return header.filter((name, column) => name.trim() !== '' && !used.includes(column)).map((name) => name.trim())
}

/** The people in a text: lines such as `Olena Kovalenko <olena@example.com>`, or a table with headings. */
export function rowsOfText(text: string): WrittenRows {
  const lines = text.split(/\r\n|\r|\n/)
  const heading = lines.find((line) => line.trim() !== '') ?? ''
  const delimiter = delimiterOf(heading)
  if (delimiter !== undefined) return rowsOfTable(text, delimiter)
  const rows = lines.flatMap((line, index) => peopleIn(line).map((written) => ({ row: index + 1, written })))
  return { rows: rows.slice(0, USERS_IN_AN_IMPORT), total: rows.length, ignored: [] }
}

/** Undefined if the line has no headings. */
function delimiterOf(line: string) {
  if (line.includes('@')) return undefined
  return ['\t', ';', ','].find((delimiter) => {
    const cells = line.split(delimiter).map((cell) => cell.replaceAll('"', ''))
    return userColumns(cells) !== undefined
  })
}

function rowsOfTable(text: string, delimiter: string): WrittenRows {
  const table = tableRows()
  const parser = parseCsv(delimiter, ({ cells, row }) => table.add(cells, row))
  try {
    parser.write(text)
    parser.end()
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    return { ...table.finish(), problem: error.message }
  }
  return table.finish()
}

/** The people in a line: usually one, or several as an email program writes recipients. */
function peopleIn(line: string): WrittenUser[] {
  if (line.trim() === '') return []
  if (line.includes('\t')) return [cellsWithoutHeadings(line.split('\t'))]
  const parts = partsOf(line)
  const emails = parts.filter((part) => part.includes('@'))
  if (emails.length <= 1) return [oneOf(parts)]
  const people: WrittenUser[] = []
  let before: string[] = []
  for (const part of parts) {
    before.push(part)
    if (!part.includes('@')) continue
    people.push(oneOf(before))
    before = []
  }
  return before.length > 0 ? [...people, oneOf(before)] : people
}

/** `Kovalenko, Olena <olena@example.com>` is one person, whose name has a comma. */
function oneOf(parts: string[]): WrittenUser {
  const isAddress = parts.length > 1 && parts.at(-1)?.includes('<')
  return cellsWithoutHeadings(isAddress ? [parts.join(', ')] : parts)
}

/** Splits a line at commas and semicolons, except within quotation marks. */
function partsOf(line: string) {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && (character === ',' || character === ';')) {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== '')
}

/** The rows of a file as a text that can be corrected. Its lines have the numbers of the rows. */
export function textOf({ rows }: WrittenRows) {
  const cells = CELLS.filter((cell) => rows.some(({ written }) => written[cell] !== undefined))
  const hasHeadings = (rows[0]?.row ?? 1) > 1
  const lines: string[] = []
  for (const { row, written } of rows) {
    while (lines.length < row - 1) lines.push('')
    lines.push(cells.map((cell) => quoted(written[cell] ?? '')).join(','))
  }
  if (hasHeadings) lines[0] = cells.join(',')
  return lines.join('\n')
}

function quoted(cell: string) {
  const text = cell.replace(/\s+/g, ' ')
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
