import { useEffect, useRef, useState } from 'react'
import { type FileState, type OpenFile, openFile } from './open-file.ts'

/**
 * The chosen file and its state. Choosing another file or leaving the page terminates the worker of the previous one.
 */
export function useOpenFile() {
  const current = useRef<OpenFile>(undefined)
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<FileState>()
  useEffect(() => () => current.current?.close(), [])

  function choose(chosen: File | null) {
    current.current?.close()
    current.current = undefined
    setFile(chosen)
    setState(undefined)
    if (chosen) current.current = openFile(chosen, setState)
  }

  return { file, choose, state, opened: () => current.current }
}
