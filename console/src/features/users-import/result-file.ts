import { csvLine } from '@watchdesk/contract/csv'
import { FILE_TYPES } from '@watchdesk/contract/file-types'
import { xlsxFile } from '../../ui/file/xlsx-file.ts'
import type { ResultRow } from './use-run.ts'

export type FileFormat = keyof typeof FILE_TYPES

/** The result as a file, with the passwords. Formulas are neutralised. */
export function resultFile(results: ResultRow[], format: FileFormat): Blob {
  const rows = [
    ['email', 'name', 'password', 'outcome', 'reason'],
    ...results.map(({ email, name, password, outcome, reason }) => [
      email,
      name,
      password ?? '',
      outcome,
      reason ?? '',
    ]),
  ]
  // Without the mark, some programs do not read it as UTF-8.
  return format === 'xlsx' ? xlsxFile(rows) : new Blob(['\ufeff', ...rows.map(csvLine)], { type: FILE_TYPES.csv })
}
