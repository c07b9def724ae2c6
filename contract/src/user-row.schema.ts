import type { z } from 'zod'
import {
  type ReadUser,
  readPerson,
  readSettings,
  type UserOutcome,
  type UserSettings,
  type WrittenUser,
} from './user-row.ts'
import { UserCreate } from './users.schema.ts'

export type CheckedUser = {
  /** The number of the row in the spreadsheet, or of the line in a text. */
  row: number
  person: ReadUser
  settings: UserSettings
  outcome: Exclude<UserOutcome, 'email already exists' | 'invalid password'>
  reason: string | null
}

const { email, first_name, last_name } = UserCreate.shape

export function userChecker(ofAll: UserSettings) {
  const rows = new Map<string, number>()
  return (written: WrittenUser, row: number): CheckedUser => {
    const person = readPerson(written)
    const settings = readSettings(written, ofAll)
    const checked = { row, person, settings: typeof settings === 'string' ? ofAll : settings }
    const wrongEmail = problemOf(email, person.email)
    if (wrongEmail) return { ...checked, outcome: 'invalid email', reason: wrongEmail }
    const key = person.email.toLowerCase()
    const first = rows.get(key)
    if (first !== undefined) return { ...checked, outcome: 'repeated in the file', reason: sameEmail(first) }
    const wrongName = problemOf(first_name, person.first_name) ?? problemOf(last_name, person.last_name)
    if (wrongName) return { ...checked, outcome: 'invalid name', reason: wrongName }
    if (typeof settings === 'string') return { ...checked, outcome: 'invalid value', reason: settings }
    // Only then, so that another row may have the right values.
    rows.set(key, row)
    return { ...checked, outcome: 'added', reason: null }
  }
}

export function sameEmail(row: number) {
  return `Row ${row.toLocaleString('en')} has the same email.`
}

function problemOf(schema: z.ZodType, value: string) {
  return schema.safeParse(value).error?.issues[0]?.message
}
