import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { BulkRecords } from '@watchdesk/contract/operations/changes'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError } from '../../../api/call.ts'
import { formatNumber } from '../../../ui/display/format.ts'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { Loading } from '../../../ui/feedback/loading.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { showValue } from '../../activity/shared/labels.ts'
import { type ChangedRow, rowsOf } from '../../activity/shared/rows.ts'
import { useNames } from '../../activity/shared/values.tsx'
import classes from './change-dialog.module.css'
import type { Records, recordsQuery } from './change-queries.ts'

type Noun = Records<never>['noun']

type AllRecordsProps = {
  noun: Noun
  /** The name of the list. */
  label: string
  /** 'left out'. Nothing for those that change. */
  state?: string
  count: number
  /** How many of them the examples are. */
  shown: number
  query: ReturnType<typeof recordsQuery>
  /** The examples, until all are shown. */
  children?: ReactNode
}

/** A few records, and a button that shows all of them. Servers that cannot list them respond with 404. */
export function AllRecords({ noun, label, state = '', count, shown, query, children }: AllRecordsProps) {
  const { data, error, isFetching, refetch, ...more } = useInfiniteQuery(query)
  const list = useRef<HTMLUListElement>(null)
  const isOpen = data !== undefined
  useEffect(() => {
    if (isOpen) list.current?.focus()
  }, [isOpen])
  if (count <= shown || (error instanceof ApiError && error.status === 404 && !data)) return children
  const records = data?.pages.flatMap((page) => page.records) ?? []
  const which = [formatNumber(count), state].join(' ').trim()
  const read = () => void refetch()
  return (
    <div className={classes.all}>
      {data ? (
        <div className={classes.box}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and continues where the button was */}
          <ul ref={list} className={classes.list} tabIndex={0} aria-label={label}>
            <RecordItems noun={noun} records={records} />
          </ul>
          <ShowMore {...more} error={error} isAutomatic={false} loading={`Loading more ${noun}s`} />
        </div>
      ) : (
        children
      )}
      <div className={classes.soft} aria-live="polite">
        {data ? (
          `${formatNumber(records.length)} of ${which} shown`
        ) : isFetching ? (
          <Loading label={`Loading the ${noun}s`} />
        ) : error ? (
          <Failed error={error} retry={read} />
        ) : (
          <Button variant="default" size="compact-sm" onClick={read}>
            {count === 1 ? `Show ${which}` : `Show all ${which}`}
          </Button>
        )}
      </div>
    </div>
  )
}

type Item = Pick<BulkRecords['records'][number], 'id' | 'name' | 'changes'> &
  Partial<Pick<BulkRecords['records'][number], 'detail' | 'reason'>>

/** Each with its values before and after, or the reason why it is left out. */
export function RecordItems({ noun, records }: { noun: Noun; records: Item[] }) {
  const all = records.map((record) => ({ ...record, rows: record.reason ? [] : rowsOf(noun, record.changes) }))
  const nameOf = useNames(all.flatMap(({ rows }) => rows))
  const textOf = ({ label, path, before, after }: ChangedRow) =>
    `${label}: ${showValue(noun, path, before, nameOf)} → ${showValue(noun, path, after, nameOf)}`
  return all.map(({ id, name, detail, reason, rows }) => (
    <li key={id} tabIndex={-1} data-row>
      {name} {detail && <span className={classes.soft}>{detail}</span>}
      {[...rows.map(textOf), ...(reason ? [reason] : [])].map((text) => (
        <span key={text} className={classes.value}>
          {text}
        </span>
      ))}
    </li>
  ))
}
