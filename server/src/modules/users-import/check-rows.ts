import type { ReadUser, UserOutcome, UserSettings } from '@watchdesk/contract/user-row'
import { sameEmail, userChecker } from '@watchdesk/contract/user-row.schema'
import { USER_DEFAULTS } from '@watchdesk/contract/users'
import type { UsersImport } from '@watchdesk/contract/users-import'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Env } from '../../env.ts'

export type ImportedRow = {
  row: number
  user: Omit<ReadUser, 'isNameFromEmail'> & UserSettings & { workspace_id: number; is_super_admin: false }
  outcome: UserOutcome
  reason: string | null
  password: string | undefined
  password_hash?: string
  /** Whether the user chooses a password with a link, or nobody signs in with one. */
  isWithoutPassword: boolean
}

const TAKEN = 'A user with this email already exists.'

export async function checkRows(db: Db, env: Env, body: UsersImport): Promise<ImportedRow[]> {
  const { workspace_id, import_id } = body
  const check = userChecker({ ...USER_DEFAULTS, ...body })
  const rows = body.rows.map(({ row, password, ...written }): ImportedRow => {
    const { person, settings, outcome, reason } = check(written, row)
    const { isNameFromEmail: _, email, ...names } = person
    const [first_name, last_name] = [names.first_name.trim(), names.last_name.trim()]
    const user = { first_name, last_name, email, workspace_id, ...settings, is_super_admin: false as const }
    const isWithoutPassword = password === undefined && (body.invite === true || env.PASSWORD_LOGIN === 'off')
    return { row, user, outcome, reason, password, isWithoutPassword }
  })
  const taken = await findTaken(db, rows, import_id)
  for (const row of rows) {
    if (row.outcome === 'added' && taken.has(keyOf(row))) refuse(row, taken.get(keyOf(row)) ?? null)
  }
  return rows
}

/** For an email that exists: the row of the same import that has added it, if any. */
export async function findTaken(db: Db, rows: ImportedRow[], import_id: number | undefined) {
  const emails = rows.filter(({ outcome }) => outcome === 'added').map(keyOf)
  if (emails.length === 0) return new Map<string, number | null>()
  const found = await rowsOf(
    db,
    sql<{ email: string; row: number | null }>`select lower(users.email) as email, (
        select cells[1]::int from operations join set_rows on set_id = operations.rows_id
        where operations.id = ${import_id ?? null}::int and outcome = 'added' and lower(cells[2]) = lower(users.email) limit 1
      ) as row from users where deleted_at is null and lower(email) = any(${emails}::text[])`,
  )
  return new Map(found.map(({ email, row }) => [email, row]))
}

export function refuse(row: ImportedRow, earlier: number | null) {
  row.outcome = earlier === null ? 'email already exists' : 'repeated in the file'
  row.reason = earlier === null ? TAKEN : sameEmail(earlier)
}

export function keyOf({ user }: ImportedRow) {
  return user.email.toLowerCase()
}
