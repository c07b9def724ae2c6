import { TableError } from '@watchdesk/contract/table-error'
import { SilentWorkerError, streamFromWorker } from '../../worker.ts'
import type { TableKind, TableRow } from './tables.ts'

type Options = {
  signal?: AbortSignal
  /** The longest that it may take altogether, whoever waits for whom. */
  deadlineMs?: number
}

const DEADLINE_MS = 240_000
const SILENCE_MS = 30_000
const RESOURCES = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 12, stackSizeMb: 4 }

/**
 * Batches of the rows of a file, the header first, read by a worker at the pace of whoever takes them. What is wrong with
 * the file is thrown as a `TableError`.
 */
export function readTable(path: string, kind: TableKind, options: Options = {}): AsyncGenerator<TableRow[]> {
  return readWith('adapters/tables/table', { path, kind }, options)
}

/** The same for a worker that makes something else of the rows. */
export async function* readWith<Item>(
  worker: string,
  data: { path: string; kind: TableKind },
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
    const { name, message, code } = Object(error)
    if (name === 'TableError') throw new TableError(message)
    if (code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new TableError('The file needs more memory than the server has for reading it.')
    if (error instanceof SilentWorkerError || deadline.aborted) throw new TableError('The file takes too long to read.')
    throw error
  }
}
