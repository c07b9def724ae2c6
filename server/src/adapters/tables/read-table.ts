import { TableError } from '@watchdesk/contract/table-error'
import { SilentWorkerError, streamFromWorker } from '../../worker.ts'
import type { TableKind, TableRow } from './tables.ts'

type Options = {
  signal?: AbortSignal
  /** The total time limit, including the time the caller takes between batches. */
  deadlineMs?: number
}

const DEADLINE_MS = 240_000
const SILENCE_MS = 30_000
const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 12, stackSizeMb: 4 }

/** Yields batches of rows, the header first, with backpressure. Throws a `TableError` if the file is invalid. */
export function readTable(path: string, kind: TableKind, options: Options = {}): AsyncGenerator<TableRow[]> {
  return readWith('adapters/tables/table', { path, kind }, options)
}

/** Like `readTable`, with a worker that yields something other than rows. */
export async function* readWith<Item>(
  worker: string,
  data: object,
  { signal, deadlineMs = DEADLINE_MS }: Options = {},
): AsyncGenerator<Item> {
  const deadline = AbortSignal.timeout(deadlineMs)
  try {
    yield* streamFromWorker<Item>(worker, {
      data,
      resourceLimits: RESOURCES,
      silenceMs: SILENCE_MS,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    const { name, message, code, isWhole } = Object(error)
    if (name === 'TableError') throw new TableError(message, isWhole)
    if (code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new TableError('The server does not have enough memory to read the file. Split it into smaller files.')
    if (error instanceof SilentWorkerError || deadline.aborted)
      throw new TableError('Reading the file took too long. Split it into smaller files.')
    throw error
  }
}
