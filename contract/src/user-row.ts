import { LANGUAGES, type Language, USER_TYPES } from './enums.ts'
import { keysOf, pick } from './list.ts'
import type { User } from './users.schema.ts'

/** The outcome of an input row. Only added users are stored. */
export const USER_OUTCOMES = [
  'added',
  'email already exists',
  'repeated in the file',
  'invalid email',
  'invalid name',
  'invalid value',
  'invalid password',
] as const

export type UserOutcome = (typeof USER_OUTCOMES)[number]

type Cell = {
  /** What people call the column, in lowercase letters and digits only. */
  headings: readonly string[]
  description: string
  example: string
}

const PERSON_CELLS = {
  email: {
    headings: [
      'email',
      'emailaddress',
      'mail',
      'mailaddress',
      'useremail',
      'login',
      'пошта',
      'електроннапошта',
      'імейл',
    ],
    description: 'An email, or a name and an email',
    example: 'Olena Kovalenko <olena@example.com>',
  },
  name: {
    headings: ['name', 'fullname', 'displayname', 'username', 'user', 'person', 'піб', 'повнеімя'],
    description: 'The full name, if first and last name have no cells of their own',
    example: 'Olena Kovalenko',
  },
  first_name: {
    headings: ['firstname', 'givenname', 'forename', 'first', 'імя'],
    description: 'First name. Without any name, both are taken from an email such as olena.kovalenko@example.com',
    example: 'Olena',
  },
  last_name: {
    headings: ['lastname', 'surname', 'familyname', 'last', 'прізвище'],
    description: 'Last name',
    example: 'Kovalenko',
  },
} as const satisfies Record<string, Cell>

const LANGUAGE_WORDS: [Language, words: string[]][] = [
  ['EN', ['en', 'english', 'англійська']],
  ['UK', ['uk', 'ua', 'ukrainian', 'українська']],
  ['', ['auto', 'automatic', 'detect automatically']],
]
const YES_OR_NO: [boolean, words: string[]][] = [
  [true, ['yes', 'y', 'true', '1', 'x', 'так']],
  [false, ['no', 'n', 'false', '0', '-', 'ні']],
]

function valueMeant<Value>(values: [Value, words: string[]][], text: string) {
  return values.find(([, words]) => words.includes(text.toLowerCase()))?.[0]
}

/** What a row can set for its user, and how that is read: undefined is no value of the field. */
const SETTING_CELLS = {
  type: {
    headings: ['type', 'usertype'],
    description: 'Type of this user, if not that of all',
    example: 'MODERATOR',
    read: (text: string) => USER_TYPES.find((type) => type === text.toUpperCase()),
    mustBe: `Type must be ${USER_TYPES.join(', ')} or empty.`,
  },
  language: {
    headings: ['language', 'lang', 'мова'],
    description: 'Language of this user, if not that of all',
    example: 'EN',
    read: (text: string) => valueMeant(LANGUAGE_WORDS, text),
    mustBe: `Language must be ${LANGUAGES.filter(Boolean).join(', ')}, auto or empty.`,
  },
  is_admin: {
    headings: ['isadmin', 'admin', 'workspaceadmin', 'isworkspaceadmin'],
    description: 'Whether this user is a workspace admin, as yes or no, if not as all',
    example: 'yes',
    read: (text: string) => valueMeant(YES_OR_NO, text),
    mustBe: 'Workspace admin must be yes, no or empty.',
  },
} as const satisfies Record<string, Cell & { read(text: string): unknown; mustBe: string }>

export const USER_CELLS = { ...PERSON_CELLS, ...SETTING_CELLS }
export const USER_SETTINGS = keysOf(SETTING_CELLS)

export type WrittenUser = { [Cell in keyof typeof USER_CELLS]?: string }
export type UserSettings = Pick<User, keyof typeof SETTING_CELLS>

/** Longer cells are cut, but stay longer than any email or name may be. */
export const USER_CELL_LENGTH = 500

/** The columns of the rows that are kept of an import, so that failed ones can be corrected and imported again. */
export const USER_ROW_COLUMNS = ['row', 'email', 'first_name', 'last_name', 'reason', 'outcome'] as const

export type ReadUser = {
  email: string
  first_name: string
  last_name: string
  isNameFromEmail: boolean
}

/** The email and name of a row: `Olena Kovalenko <olena@example.com>`, or cells of their own. */
export function readPerson(written: WrittenUser): ReadUser {
  const { email, name } = readAddress(written.email ?? '')
  const [first, last] = splitName(written.name || name)
  const first_name = written.first_name || first
  const last_name = written.last_name || last
  const [firstInEmail, lastInEmail] = nameIn(email)
  // The address has more than what is written only if it has both names.
  const isNameFromEmail = (first_name === '' || last_name === '') && lastInEmail !== ''
  if (!isNameFromEmail) return { email, first_name, last_name, isNameFromEmail }
  return { email, first_name: first_name || firstInEmail, last_name: last_name || lastInEmail, isNameFromEmail }
}

/** `"Kovalenko, Olena" <olena@example.com>`, `Olena Kovalenko olena@example.com`, or only the email. */
function readAddress(text: string): { email: string; name: string } {
  const [open, close] = [text.lastIndexOf('<'), text.lastIndexOf('>')]
  if (open >= 0 && close > open && text.slice(open, close).includes('@')) {
    return { email: plainEmail(text.slice(open + 1, close)), name: withoutMarks(text.slice(0, open)) }
  }
  const words = text.split(/\s+/)
  const emails = words.filter((word) => word.includes('@'))
  if (words.length === 1 || emails.length !== 1) return { email: plainEmail(text), name: '' }
  const others = words.filter((word) => !word.includes('@'))
  return { email: plainEmail(withoutMarks(emails[0] ?? '')), name: withoutMarks(others.join(' ')) }
}

function plainEmail(text: string) {
  return text.trim().replace(/^mailto:/i, '')
}

/** Quotation marks, brackets and punctuation around a text. Cells are short, so a regular expression is fast enough. */
const MARKS = /^[ \t\n\r\u00a0"'“”«»()[\]<>,;:–—-]+|[ \t\n\r\u00a0"'“”«»()[\]<>,;:–—-]+$/g

function withoutMarks(text: string) {
  return text.replace(MARKS, '')
}

/** The last word is the last name, with 'van der' or 'de la' before it; 'Kovalenko, Olena' begins with it. */
function splitName(name: string): [first: string, last: string] {
  const comma = name.indexOf(',')
  if (comma >= 0) return [withoutMarks(name.slice(comma + 1)), withoutMarks(name.slice(0, comma))]
  const words = name.split(/\s+/).filter((word) => word !== '')
  let at = words.length - 1
  if (at < 1) return [words[0] ?? '', '']
  const hasCapital = !isLowercase(words[at] ?? '')
  while (hasCapital && at > 1 && isLowercase(words[at - 1] ?? '')) at -= 1
  return [words.slice(0, at).join(' '), words.slice(at).join(' ')]
}

function isLowercase(word: string) {
  return /^\p{Ll}/u.test(word)
}

/** 'Olena' and 'Kovalenko' of `olena.kovalenko@example.com`. */
function nameIn(email: string): [first: string, last: string] {
  const local = email.slice(0, Math.max(0, email.indexOf('@'))).replace(/\+.*$/, '')
  const [first = '', ...others] = local
    .split(/[._-]+/)
    .map((word) => word.replace(/\d+/g, ''))
    .filter((word) => word !== '')
  return [withCapital(first), others.map(withCapital).join(' ')]
}

function withCapital(word: string) {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The settings of a row: those of all rows unless it has its own. Or what is wrong with them. */
export function readSettings(written: WrittenUser, ofAll: UserSettings): UserSettings | string {
  const own: [string, unknown][] = []
  for (const name of USER_SETTINGS) {
    if (!written[name]) continue
    const { read, mustBe } = SETTING_CELLS[name]
    const value = read(written[name])
    if (value === undefined) return mustBe
    own.push([name, value])
  }
  return { ...pick(ofAll, USER_SETTINGS), ...Object.fromEntries(own) }
}
