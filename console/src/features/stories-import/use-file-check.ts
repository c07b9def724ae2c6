import { useEffect, useRef, useState } from 'react'
import { connectWorker, type WorkerError } from '../../ui/file-reader/connect-worker.ts'
import type { CheckResult } from './worker/messages.ts'
import type { StoriesFileWorker } from './worker/worker.ts'

export type CheckState = { phase: 'reading'; rows: number } | CheckResult

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
    (result) => {
      onChange(result)
      close()
    },
    () => {},
  )
  return {
    /** The findings; undefined if there are none. Rejects if another file is chosen meanwhile. */
    finished: () =>
      checked.then(
        (result) => (result.phase === 'ready' ? result.check : undefined),
        (error: WorkerError) => {
          if (error.reason === 'closed') throw error
          return undefined
        },
      ),
    close,
  }
}
