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

  function choose(chosen: File | null, log?: OpenFile['log']) {
    current.current?.close()
    current.current = undefined
    setFile(chosen)
    setState(undefined)
    if (chosen) current.current = openFile(chosen, setState, log)
  }

  /** Reads the file again, and repeats the edits. */
  function retry() {
    choose(file, current.current?.log)
  }

  return { file, choose: (chosen: File | null) => choose(chosen), retry, state, opened: () => current.current }
}
