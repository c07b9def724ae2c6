import { keysOf } from '@watchdesk/contract/list'
import { USER_CELL_LENGTH, USER_CELLS, type WrittenUser } from '@watchdesk/contract/user-row'

/** The cells of a row that are used, by the names of their columns. */
export const CELLS = keysOf(USER_CELLS)

/** The index of each column that is used. */
export type UserColumns = Partial<Record<keyof WrittenUser, number>> & { email: number }

/** Finds the columns by their headings, in any order; undefined if there is none with emails. */
export function userColumns(header: readonly string[]): UserColumns | undefined {
  const headings = header.map((heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
  const places = CELLS.flatMap((cell) => {
    const known: readonly string[] = USER_CELLS[cell].headings
    const at = headings.findIndex((heading) => known.includes(heading))
    return at < 0 ? [] : [[cell, at]]
  })
  const { name, ...columns }: Partial<UserColumns> = Object.fromEntries(places)
  if (columns.email === undefined) return undefined
  const { email, first_name, last_name } = columns
  if (name === undefined) return { ...columns, email }
  // 'Name' and 'Surname' are the two parts of a name.
  const isFirst = first_name === undefined && last_name !== undefined
  return isFirst ? { ...columns, email, first_name: name } : { ...columns, email, name }
}

/** The cells of a row, by the headings of their columns. */
export function cellsOf(row: readonly string[], columns: UserColumns): WrittenUser {
  const cells = CELLS.flatMap((cell) => {
    const at = columns[cell]
    const text = at === undefined ? '' : cut(row[at] ?? '')
    return text === '' ? [] : [[cell, text]]
  })
  return Object.fromEntries(cells)
}

/** The cells of a row without headings: an email, and before or after it a name in one or two cells. */
export function cellsWithoutHeadings(row: readonly string[]): WrittenUser {
  const texts = row.map(cut).filter((text) => text !== '')
  const at = Math.max(
    0,
    texts.findIndex((text) => text.includes('@')),
  )
  const [email = ''] = texts.splice(at, 1)
  const [first = '', last = ''] = texts
  if (first === '') return { email }
  return last === '' ? { email, name: first } : { email, first_name: first, last_name: last }
}

function cut(text: string) {
  return text
    .trim()
    .slice(0, USER_CELL_LENGTH)
    .replace(/\0|\p{Surrogate}/gu, '\ufffd')
}
