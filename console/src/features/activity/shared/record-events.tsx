import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AuditEvent } from '@watchdesk/contract/activity'
import { formatCount } from '../../../ui/display/format.ts'
import { toastSuccess } from '../../../ui/feedback/toast.tsx'
import { useCanChange } from '../../../ui/page/can-change.tsx'
import { currentUserQuery } from '../../auth/queries.ts'
import { askPutBack, type Then } from '../put-back.tsx'
import { PutBackField, PutBackRecord } from '../put-back-buttons.tsx'
import { Events } from './events.tsx'
import { type HistoryRecord, useNewestChange } from './history-queries.ts'
import type { ChangedRow } from './rows.ts'

type RecordEventsProps = {
  of: HistoryRecord
  heading: 'h2' | 'h3'
  /** Shows the values that were put back. */
  onPutBack?: (() => Promise<unknown>) | undefined
}

/** The events of one record, whose fields can be put back. */
export function RecordEvents({ of: record, heading, onPutBack }: RecordEventsProps) {
  const newest = useNewestChange(record)
  const client = useQueryClient()
  const canPutBack = useCanPutBack(record)

  async function putBack(then: Then) {
    const labels = await askPutBack(then)
    if (!labels) return
    toastSuccess(
      labels.length > 3 ? `${formatCount(labels.length, 'field')} put back.` : `${list.format(labels)} put back.`,
    )
    // First the form, so that it does not report its own newer version.
    await onPutBack?.()
    await client.invalidateQueries()
  }

  const actions = {
    renderField: (event: AuditEvent, row: ChangedRow) => <PutBackField event={event} row={row} onClick={putBack} />,
    renderActions: (event: AuditEvent) => (
      <PutBackRecord event={event} isNewest={event.id === newest?.id} onClick={putBack} />
    ),
  }
  return (
    <Events
      filters={{ ...record, changes_only: 'true' }}
      empty="No changes are recorded yet. They appear here after someone saves a change."
      heading={heading}
      {...(canPutBack && actions)}
    />
  )
}

const list = new Intl.ListFormat('en')

/** Workspace admins can change users only. Other backends may not return who is a super admin. */
function useCanPutBack({ entity }: HistoryRecord) {
  const { data: me } = useQuery(currentUserQuery)
  const canChange = useCanChange()
  return canChange && me !== undefined && (entity === 'user' || me.is_super_admin !== false)
}
