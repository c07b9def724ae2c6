import { USERS_IN_AN_IMPORT } from '@watchdesk/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../ui/display/format.ts'
import { connectWorker } from '../../ui/file-reader/connect-worker.ts'
import type { WrittenRows } from './rows.ts'
import type { UsersFileWorker } from './worker/worker.ts'

/** A chosen file is read in a worker, which is terminated when it is done or another file is chosen. */
export function useFile(onRead: (rows: WrittenRows, file: File) => void) {
  const current = useRef<{ close: () => void }>(undefined)
  const [file, setFile] = useState<File | null>(null)
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => () => current.current?.close(), [])

  function choose(chosen: File | null) {
    current.current?.close()
    setFile(chosen)
    setError(undefined)
    setReading(chosen !== null)
    if (!chosen) return
    const { call, close } = connectWorker<UsersFileWorker>(
      new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' }),
      ({ message }) => fail(message),
    )
    current.current = { close }
    call('read', chosen).then(
      (read) => {
        close()
        const problem = problemOf(read)
        if (problem !== undefined) return fail(problem)
        setReading(false)
        onRead(read, chosen)
      },
      () => {},
    )
  }

  function fail(message: string) {
    setReading(false)
    setError(message)
  }

  return { file, choose, isReading, error }
}

function problemOf({ problem, total }: WrittenRows) {
  if (problem !== undefined) return problem
  if (total === 0) return 'The file has no rows with people.'
  return tooMany(total)
}

export function tooMany(total: number) {
  if (total <= USERS_IN_AN_IMPORT) return undefined
  return `These are ${formatNumber(total)} users. Add at most ${formatNumber(USERS_IN_AN_IMPORT)} at a time: split them into several parts.`
}
