import { open, stat } from 'node:fs/promises'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { NOTHING_TO_IMPORT, sourceColumns } from '@watchdesk/contract/source-row'
import { SheetError, type SheetRow, type Sheets } from '../../adapters/sheets/sheets.ts'
import { SilentWorkerError, streamFromWorker } from '../../worker.ts'
import { type CheckedPart, type CheckInput, checkImport, writtenReader } from './check-import.ts'

/** For reading an external sheet, so that enough of the caller's time is left for the import. */
const READ_MS = TIMEOUT_MS.sources * 0.75
const SILENCE_MS = 30_000
const RESOURCES = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 6, stackSizeMb: 4 }
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

/** Throws if the sheet has nothing to import. */
export function checkSheet({ header, rows }: { header: string[]; rows: number }) {
  if (!sourceColumns(header)) throw new SheetError(NOTHING_TO_IMPORT.sheet.no_url_column)
  if (rows === 0) throw new SheetError(NOTHING_TO_IMPORT.sheet.no_rows)
}

/** Checks a file in a worker, or on this thread if it is small. */
export async function* checkFile(input: CheckInput): AsyncGenerator<CheckedPart> {
  const { size } = await stat(input.path)
  if (size <= SMALL) return yield* checkImport(input)
  try {
    yield* streamFromWorker<CheckedPart>('modules/source-import/check-import', {
      data: input,
      resourceLimits: RESOURCES,
      silenceMs: SILENCE_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS.sources),
    })
  } catch (error) {
    if (Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new SheetError(
        'The server does not have enough memory to read these rows. Split the file into smaller ones.',
      )
    if (error instanceof SilentWorkerError)
      throw new SheetError('Reading these rows took too long. Split the file into smaller ones.')
    throw error
  }
}
