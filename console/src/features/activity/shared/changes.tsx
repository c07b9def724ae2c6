import { useQuery } from '@tanstack/react-query'
import type { AuditEvent } from '@watchdesk/contract/activity'
import type { ReactNode } from 'react'
import { Failed } from '../../../ui/feedback/failed.tsx'
import { Loading } from '../../../ui/feedback/loading.tsx'
import { eventQuery } from '../queries.ts'
import classes from './changes.module.css'
import { type ChangedRow, rowsOf } from './rows.ts'
import { cellsOf, useNames } from './values.tsx'

type ChangesProps = {
  event: AuditEvent
  /** An action for a field, in a column of its own, such as a button to put it back. */
  renderField?: (row: ChangedRow) => ReactNode
}

/** The changed fields of an event, with their whole values. */
export function Changes({ event, renderField }: ChangesProps) {
  const { data, error, refetch } = useQuery({ ...eventQuery(event.id), enabled: event.is_cut })
  const whole = event.is_cut ? data : event
  if (error && !whole) return <Failed error={error} retry={() => void refetch()} />
  if (!whole) return <Loading label="Loading the changes" />
  return <ChangesTable event={whole} renderField={renderField} />
}

function ChangesTable({ event: { entity, changes }, renderField }: ChangesProps) {
  const rows = rowsOf(entity, changes)
  const nameOf = useNames(rows)
  if (rows.length === 0) return null
  const hasBefore = rows.some(({ before }) => before !== null && before !== undefined)
  return (
    <table className={classes.table} aria-label="Changes">
      <thead>
        <tr>
          <th scope="col">Field</th>
          {hasBefore && <th scope="col">Before</th>}
          <th scope="col">{hasBefore ? 'After' : 'Value'}</th>
          {renderField && (
            <th scope="col" className={classes.action}>
              <span className="visually-hidden">Action</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const { before, after } = cellsOf(entity, row, nameOf)
          return (
            <tr key={row.path}>
              <th scope="row">{row.label}</th>
              {hasBefore && <td data-heading="Before">{before}</td>}
              <td data-heading={hasBefore ? 'After' : undefined}>{after}</td>
              {renderField && <td className={classes.action}>{renderField(row)}</td>}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
