import { useEffect, useRef, useState } from 'react'
import { openFile, type Reading, type ReadingState } from './reading.ts'

/** The chosen file and what is known of it. Another choice, or leaving, ends the reading of the one before. */
export function useReading() {
  const current = useRef<Reading>(undefined)
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<ReadingState>()
  useEffect(() => () => current.current?.close(), [])

  function choose(chosen: File | null) {
    current.current?.close()
    current.current = undefined
    setFile(chosen)
    setState(undefined)
    if (chosen) current.current = openFile(chosen, setState)
  }

  return { file, choose, state, reading: () => current.current }
}
