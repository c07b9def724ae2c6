import { csvLine } from '@watchdesk/contract/csv'
import { FILE_TYPES } from '@watchdesk/contract/file-types'
import { INVITATION_HOURS } from '@watchdesk/contract/limits'
import { xlsxFile } from '../../ui/file/xlsx-file.ts'
import { outcomeText } from './outcome-text.ts'
import type { ResultRow } from './use-run.ts'

export type FileFormat = keyof typeof FILE_TYPES
/** What each added user gets to sign in with. Null where nobody signs in with a password. */
export type Secret = 'password' | 'link' | null

export const LINK_VALIDITY = `${INVITATION_HOURS} hours`

/** The result as a file, with the passwords or links, if there are any. Formulas are neutralised. */
export function resultFile(results: ResultRow[], format: FileFormat, secret: Secret): Blob {
  const rows = [
    ['email', 'name', ...(secret ? [secret] : []), ...(secret === 'link' ? ['valid for'] : []), 'outcome', 'reason'],
    ...results.map((result) => {
      const { email, name, password, outcome } = result
      const validity = secret === 'link' ? [password ? LINK_VALIDITY : ''] : []
      return [email, name, ...(secret ? [password ?? ''] : []), ...validity, outcomeText(outcome), reasonOf(result)]
    }),
  ]
  // Without the mark, some programs do not read it as UTF-8.
  return format === 'xlsx' ? xlsxFile(rows) : new Blob(['\ufeff', ...rows.map(csvLine)], { type: FILE_TYPES.csv })
}

/** Why a user was not added, or may not have been. */
export function reasonOf({ outcome, reason, password }: ResultRow) {
  if (outcome === 'cancelled') return 'It was cancelled before this row.'
  if (outcome !== 'not known') return reason ?? ''
  return `The server did not answer. If this user exists now, ${password ? 'this is the password' : 'create a new link on their page'}.`
}
