import { keysOf } from '@watchdesk/contract/list'
import { USER_CELL_LENGTH, type WrittenUser } from '@watchdesk/contract/user-row'

/** What people call the columns, in lowercase letters and digits only. */
const HEADINGS: Record<keyof WrittenUser, string[]> = {
  email: ['email', 'emailaddress', 'mail', 'mailaddress', 'useremail', 'login', 'пошта', 'електроннапошта', 'імейл'],
  name: ['name', 'fullname', 'displayname', 'username', 'user', 'person', 'піб', 'повнеімя'],
  first_name: ['firstname', 'givenname', 'forename', 'first', 'імя'],
  last_name: ['lastname', 'surname', 'familyname', 'last', 'прізвище'],
  type: ['type', 'usertype'],
  language: ['language', 'lang', 'мова'],
  is_admin: ['isadmin', 'admin', 'workspaceadmin', 'isworkspaceadmin'],
}

/** The cells of a row that are used, by the names of their columns. */
export const USER_CELLS = keysOf(HEADINGS)

/** The index of each column that is used. */
export type UserColumns = Partial<Record<keyof WrittenUser, number>> & { email: number }

/** Finds the columns by their headings, in any order; undefined if there is none with emails. */
export function userColumns(header: readonly string[]): UserColumns | undefined {
  const headings = header.map((heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
  const places = USER_CELLS.flatMap((cell) => {
    const at = headings.findIndex((heading) => HEADINGS[cell].includes(heading))
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
  const cells = USER_CELLS.flatMap((cell) => {
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
