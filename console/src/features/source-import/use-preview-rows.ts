import { useEffect, useRef, useState } from 'react'
import type { OpenFile } from './open-file.ts'
import type { Column, PreviewRow } from './worker/messages.ts'

const WINDOW = 200
/** Windows around the viewport that stay in memory. */
const NEAR = 5

type Range = { from: number; to: number }

/** The rows in a range; undefined until they arrive from the worker. They are read again when the version changes. */
export function usePreviewRows(opened: OpenFile, version: number, { from, to }: Range) {
  const [windows, setWindows] = useState<ReadonlyMap<number, PreviewRow[]>>(new Map())
  /** The version that was asked for, of each window. */
  const asked = useRef(new Map<number, number>())
  const first = Math.floor(from / WINDOW)
  const last = Math.floor(Math.max(from, to - 1) / WINDOW)

  useEffect(() => {
    const isNear = (window: number) => window >= first - NEAR && window <= last + NEAR
    for (const window of asked.current.keys()) if (!isNear(window)) asked.current.delete(window)
    for (let window = first; window <= last; window += 1) {
      if (asked.current.get(window) === version) continue
      asked.current.set(window, version)
      void opened
        .rows(window * WINDOW, (window + 1) * WINDOW)
        .then((rows) => setWindows((known) => new Map([...known].filter(([other]) => isNear(other))).set(window, rows)))
        // The page shows the failure of the reader instead of the preview.
        .catch(() => {})
    }
  }, [opened, version, first, last])

  /** Shows what was written before the worker has judged it. */
  function showWritten(at: number, column: Column, text: string) {
    const window = Math.floor(at / WINDOW)
    setWindows((known) => {
      const rows = known.get(window)
      const row = rows?.[at % WINDOW]
      if (!rows || !row) return known
      const written = { ...row.written, [column]: text }
      return new Map(known).set(window, rows.with(at % WINDOW, { ...row, written, suggestions: {} }))
    })
  }

  const rowAt = (index: number) => windows.get(Math.floor(index / WINDOW))?.[index % WINDOW]
  return { rowAt, showWritten }
}
