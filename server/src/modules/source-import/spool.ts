import { open, stat } from 'node:fs/promises'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { NO_URL_COLUMN, sourceColumns, writtenText } from '@watchdesk/contract/sources'
import { SheetError, type SheetRow, type Sheets } from '../../adapters/sheets/sheets.ts'
import { SilentWorkerError, streamFromWorker } from '../../worker.ts'
import { type Judged, type JudgeInput, judge } from './judge.ts'

const READ_MS = TIMEOUT_MS.sources * 0.75
const SILENCE_MS = 30_000
const RESOURCES = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 6, stackSizeMb: 4 }
/** Up to so many bytes, starting a worker takes longer than the work. */
const SMALL = 65_536

/** Writes the two columns that matter of a sheet's rows to a file, from which they are judged. */
export async function spoolSheet(sheets: Pick<Sheets, 'read'>, reference: string, path: string) {
  const file = await open(path, 'wx', 0o600)
  let count = 0

  async function take(header: string[], rows: SheetRow[]) {
    const columns = sourceColumns(header)
    if (!columns || rows.length === 0) return
    // By their place: names in a header may be anything, also the same twice.
    const url = header.indexOf(columns.url)
    const country = columns.country === undefined ? -1 : header.indexOf(columns.country)
    const lines = rows.map(({ row, cells }) =>
      JSON.stringify([row, writtenText(cells[url] ?? '', 'link'), writtenText(cells[country] ?? '', 'country')]),
    )
    await file.appendFile(`${lines.join('\n')}\n`)
    count += rows.length
  }

  try {
    const { rows, ...sheet } = await readWithin(READ_MS, (signal) => sheets.read(reference, signal, take))
    await take(sheet.header, rows)
    return { ...sheet, rows: count }
  } finally {
    await file.close()
  }
}

/** Why there is nothing to import of a sheet. */
export function checkSheet({ header, rows }: { header: string[]; rows: number }) {
  if (!sourceColumns(header)) throw new SheetError(NO_URL_COLUMN)
  if (rows === 0) throw new SheetError('The sheet has no rows below its header.')
}

/** How long an outside sheet may take: what is left of the caller's time is for the rest. */
async function readWithin<Result>(milliseconds: number, read: (signal: AbortSignal) => Promise<Result>) {
  const signal = AbortSignal.timeout(milliseconds)
  return read(signal).catch((error: unknown) => {
    if (signal.aborted) throw new SheetError('Reading the sheet took too long. Try again in a moment.')
    throw error
  })
}

/** Judges a file in a worker, or right here where it is small. */
export async function* judgeFile(input: JudgeInput): AsyncGenerator<Judged> {
  const { size } = await stat(input.path)
  if (size <= SMALL) return yield* judge(input)
  try {
    yield* streamFromWorker<Judged>('modules/source-import/judge', {
      data: input,
      resourceLimits: RESOURCES,
      silenceMs: SILENCE_MS,
      signal: AbortSignal.timeout(TIMEOUT_MS.sources),
    })
  } catch (error) {
    if (Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new SheetError('The rows need more memory than the server has for reading them. Split the file.')
    if (error instanceof SilentWorkerError) throw new SheetError('The rows take too long to read. Split the file.')
    throw error
  }
}
