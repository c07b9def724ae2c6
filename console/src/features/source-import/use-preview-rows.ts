import { useEffect, useRef, useState } from 'react'
import type { OpenFile } from './open-file.ts'
import type { Outcome, PreviewRow } from './worker/messages.ts'

const WINDOW = 200
/** Windows around the viewport that stay in memory. */
const NEAR = 5

type Range = { from: number; to: number }

/** The rows in a range; undefined until they arrive from the worker. */
export function usePreviewRows(opened: OpenFile, outcome: Outcome | undefined, { from, to }: Range) {
  const [windows, setWindows] = useState<ReadonlyMap<number, PreviewRow[]>>(new Map())
  const asked = useRef(new Set<number>())
  const first = Math.floor(from / WINDOW)
  const last = Math.floor(Math.max(from, to - 1) / WINDOW)

  useEffect(() => {
    const isNear = (window: number) => window >= first - NEAR && window <= last + NEAR
    for (const window of asked.current) if (!isNear(window)) asked.current.delete(window)
    for (let window = first; window <= last; window += 1) {
      if (asked.current.has(window)) continue
      asked.current.add(window)
      void opened
        .rows(outcome, window * WINDOW, (window + 1) * WINDOW)
        .then((rows) => setWindows((known) => new Map([...known].filter(([other]) => isNear(other))).set(window, rows)))
        // The page shows the failure of the reader instead of the preview.
        .catch(() => {})
    }
  }, [opened, outcome, first, last])

  return (index: number) => windows.get(Math.floor(index / WINDOW))?.[index % WINDOW]
}
