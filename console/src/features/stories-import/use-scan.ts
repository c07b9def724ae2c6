import { useEffect, useRef, useState } from 'react'
import { connectWorker, type WorkerError } from '../../ui/read-file/connect-worker.ts'
import type { Scan } from './read/messages.ts'
import type { StoriesFileWorker } from './read/worker.ts'

/** What is known of the chosen file. One that cannot be read here is left to the import, which says why. */
export type ScanState =
  | { phase: 'reading'; rows: number }
  | { phase: 'read'; scan: Scan | undefined }
  /** Something is wrong with the reader, which may succeed at the next try. */
  | { phase: 'failed'; message: string }

export function useScan() {
  const current = useRef<ReturnType<typeof startScan>>(undefined)
  const [state, setState] = useState<ScanState>()
  useEffect(() => () => current.current?.close(), [])

  function scan(file: File | null) {
    current.current?.close()
    current.current = file ? startScan(file, setState) : undefined
    if (!file) setState(undefined)
  }

  return { state, scan, finished: () => current.current?.finished() }
}

/** Reads the file in a worker of its own; ends it when it is done, or no longer wanted. */
function startScan(file: File, onChange: (state: ScanState) => void) {
  const { call, close } = connectWorker<StoriesFileWorker>(
    new Worker(new URL('./read/worker.ts', import.meta.url), { type: 'module' }),
    ({ message }) => onChange({ phase: 'failed', message }),
  )
  onChange({ phase: 'reading', rows: 0 })
  const scanned = call('scan', file, (rows) => onChange({ phase: 'reading', rows }))
  scanned.then(
    (scan) => {
      onChange({ phase: 'read', scan })
      close()
    },
    () => {},
  )
  return {
    /** What was found; undefined where the reader failed. Rejects when the file is no longer wanted. */
    finished: () =>
      scanned.catch((error: WorkerError) => {
        if (error.reason === 'closed') throw error
        return undefined
      }),
    close,
  }
}
