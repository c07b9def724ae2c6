import { lazy, Suspense, useState } from 'react'
import { formatAgo, formatMoment } from '../../../ui/display/format.ts'
import { HistoryLink, useHistoryPanel } from './history-link.tsx'
import { type HistoryRecord, useNewestChange } from './history-queries.ts'

const HistoryPanel = lazy(() => import('../panel.tsx').then((module) => ({ default: module.HistoryPanel })))

type LastChangedProps = {
  of: HistoryRecord
  /** Shows the values that were put back. */
  onPutBack?: () => Promise<unknown>
}

/** Who changed a record last and when, and its history. Shows nothing if the backend records no changes. */
export function LastChanged({ of: record, onPutBack }: LastChangedProps) {
  const change = useNewestChange(record)
  const { isOpen, close } = useHistoryPanel()
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  return (
    <>
      {change && (
        <>
          <span title={formatMoment(change.at)}>
            {change.action === 'create' ? 'Created' : 'Last changed'}
            {change.actor && ` by ${change.actor.name}`}, {formatAgo(change.at)}
          </span>
          <HistoryLink>History</HistoryLink>
        </>
      )}
      {/* Stays while it closes, so that the focus returns to the link. */}
      {wasOpened && (
        <Suspense>
          <HistoryPanel of={record} isOpen={isOpen} onClose={close} onPutBack={onPutBack} />
        </Suspense>
      )}
    </>
  )
}
