import { useEffect, useRef, useState } from 'react'
import { connectWorker, type WorkerError } from '../../ui/file-reader/connect-worker.ts'
import type { StoriesCheck } from './worker/messages.ts'
import type { StoriesFileWorker } from './worker/worker.ts'

/** The state of the chosen file. If it cannot be read here, the import reports why. */
export type CheckState =
  | { phase: 'reading'; rows: number }
  | { phase: 'ready'; check: StoriesCheck | undefined }
  /** The reader failed, not the file. Another attempt may succeed. */
  | { phase: 'failed'; message: string }

export function useFileCheck() {
  const current = useRef<ReturnType<typeof startCheck>>(undefined)
  const [state, setState] = useState<CheckState>()
  useEffect(() => () => current.current?.close(), [])

  function check(file: File | null) {
    current.current?.close()
    current.current = file ? startCheck(file, setState) : undefined
    if (!file) setState(undefined)
  }

  return { state, check, finished: () => current.current?.finished() }
}

/** Reads the file in a worker, which is terminated when it is done or another file is chosen. */
function startCheck(file: File, onChange: (state: CheckState) => void) {
  const { call, close } = connectWorker<StoriesFileWorker>(
    new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' }),
    ({ message }) => onChange({ phase: 'failed', message }),
  )
  onChange({ phase: 'reading', rows: 0 })
  const checked = call('check', file, (rows) => onChange({ phase: 'reading', rows }))
  checked.then(
    (check) => {
      onChange({ phase: 'ready', check })
      close()
    },
    () => {},
  )
  return {
    /** The findings; undefined if the reader failed. Rejects if another file is chosen meanwhile. */
    finished: () =>
      checked.catch((error: WorkerError) => {
        if (error.reason === 'closed') throw error
        return undefined
      }),
    close,
  }
}
