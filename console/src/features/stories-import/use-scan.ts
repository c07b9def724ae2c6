import { useEffect, useRef, useState } from 'react'
import type { FromWorker, Scan } from './read/messages.ts'

/** A file made to keep its reader busy for ever ends here. The worker reports far more often. */
const SILENCE_MS = 30_000

/** What is known of the chosen file. One that cannot be read here is left to the import, which says why. */
export type ScanState = { phase: 'reading'; rows: number } | { phase: 'read'; scan: Scan | undefined }

type Scanning = { finished: Promise<Scan | undefined>; close: () => void }

export function useScan() {
  const current = useRef<Scanning>(undefined)
  const [state, setState] = useState<ScanState>()
  useEffect(() => () => current.current?.close(), [])

  function scan(file: File | null) {
    current.current?.close()
    current.current = file ? startScan(file, setState) : undefined
    setState(file ? { phase: 'reading', rows: 0 } : undefined)
  }

  return { state, scan, finished: () => current.current?.finished }
}

/** Reads the file in a worker of its own; ends it when it is done, silent for too long, or no longer wanted. */
function startScan(file: File, onChange: (state: ScanState) => void): Scanning {
  const worker = new Worker(new URL('./read/worker.ts', import.meta.url), { type: 'module' })
  let resolve = (_: Scan | undefined) => {}
  const finished = new Promise<Scan | undefined>((done) => {
    resolve = done
  })
  let isOpen = true
  let deadline = setTimeout(() => finish(undefined), SILENCE_MS)

  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (!isOpen) return
    if (data.tell === 'done') return finish(data.scan)
    clearTimeout(deadline)
    deadline = setTimeout(() => finish(undefined), SILENCE_MS)
    onChange({ phase: 'reading', rows: data.rows })
  })
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    finish(undefined)
  })
  worker.postMessage(file)

  function finish(scan: Scan | undefined) {
    if (!isOpen) return
    close()
    resolve(scan)
    onChange({ phase: 'read', scan })
  }

  function close() {
    isOpen = false
    clearTimeout(deadline)
    worker.terminate()
  }

  return { finished, close }
}
