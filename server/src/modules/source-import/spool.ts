import { open, stat } from 'node:fs/promises'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { NOTHING_TO_IMPORT, sourceColumns } from '@watchdesk/contract/source-row'
import { TableError } from '@watchdesk/contract/table-error'
import { SheetError, type SheetRow, type Sheets } from '../../adapters/sheets/sheets.ts'
import { readWith } from '../../adapters/tables/read-table.ts'
import { type CheckedPart, type CheckInput, checkImport } from './check-import.ts'
import { writtenReader } from './read-rows.ts'

/** For reading an external sheet, so that enough of the caller's time is left for the import. */
const READ_MS = TIMEOUT_MS.sources * 0.75
export const CHECK_IMPORT = 'modules/source-import/check-import'
/** Below this size, starting a worker takes longer than the work. */
const SMALL = 65_536

/** Writes the two relevant columns of a sheet to a file, to be checked from there. */
export async function spoolSheet(sheets: Pick<Sheets, 'read'>, reference: string, path: string) {
  const file = await open(path, 'wx', 0o600)
  let count = 0

  async function take(header: string[], rows: SheetRow[]) {
    const { hasUrl, read } = writtenReader(header)
    if (!hasUrl || rows.length === 0) return
    const lines = rows.map(({ row, cells }) => JSON.stringify([row, read(cells)]))
    await file.appendFile(`${lines.join('\n')}\n`)
    count += rows.length
  }

  const signal = AbortSignal.timeout(READ_MS)
  try {
    return { ...(await sheets.read(reference, take, signal)), rows: count }
  } catch (error) {
    throw signal.aborted ? new SheetError('Reading the sheet took too long. Try again in a moment.') : error
  } finally {
    await file.close()
  }
}

export function checkSheet({ header, rows }: { header: string[]; rows: number }) {
  if (!sourceColumns(header)) throw new SheetError(NOTHING_TO_IMPORT.sheet.no_url_column)
  if (rows === 0) throw new SheetError(NOTHING_TO_IMPORT.sheet.no_rows)
}

export async function* checkSpooled(input: CheckInput): AsyncGenerator<CheckedPart> {
  const { size } = await stat(input.path)
  if (size <= SMALL) return yield* checkImport(input)
  try {
    yield* readWith<CheckedPart>(CHECK_IMPORT, input, { deadlineMs: TIMEOUT_MS.sources })
  } catch (error) {
    throw error instanceof TableError ? new SheetError(error.message) : error
  }
}
