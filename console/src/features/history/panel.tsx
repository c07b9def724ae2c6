import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AuditEvent } from '@watchdesk/contract/audit'
import { useEffect, useState } from 'react'
import { formatCount } from '../../ui/display/format.ts'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { Events } from '../activity/shared/events.tsx'
import type { ChangedRow } from '../activity/shared/rows.ts'
import { currentUserQuery } from '../session/queries.ts'
import classes from './panel.module.css'
import { askPutBack, type Then } from './put-back.tsx'
import { PutBackField, PutBackRecord } from './put-back-buttons.tsx'
import { type HistoryRecord, useNewestChange } from './queries.ts'

type HistoryPanelProps = {
  of: HistoryRecord
  isOpen: boolean
  onClose: () => void
  onPutBack?: (() => Promise<unknown>) | undefined
}

/** The events of one record, in a panel above its page. On a phone it fills the screen. */
export function HistoryPanel({ of: record, isOpen, onClose, onPutBack }: HistoryPanelProps) {
  // Drawer restores the focus only if it was mounted before it opened.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  const [isAsking, setAsking] = useState(false)
  const newest = useNewestChange(record)
  const client = useQueryClient()
  const canPutBack = useCanPutBack(record)

  async function putBack(then: Then) {
    setAsking(true)
    const labels = await askPutBack(then)
    setAsking(false)
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
    <Drawer
      opened={isMounted && isOpen}
      onClose={onClose}
      title="History"
      position="right"
      size="min(100%, 52rem)"
      // Otherwise Escape would close both the dialog and the panel.
      closeOnEscape={!isAsking}
      closeButtonProps={{ 'aria-label': 'Close history' }}
      transitionProps={{ duration: 120 }}
      attributes={{ header: { role: 'none' } }}
      classNames={{ title: classes.title, body: classes.body }}
    >
      <Events
        filters={{ ...record, changes_only: 'true' }}
        empty="No changes are recorded yet. They appear here after someone saves a change."
        heading="h3"
        {...(canPutBack && actions)}
      />
    </Drawer>
  )
}

const list = new Intl.ListFormat('en')

/** Workspace admins can change users only. Other backends may not return who is a super admin. */
function useCanPutBack({ entity }: HistoryRecord) {
  const { data: me } = useQuery(currentUserQuery)
  return me !== undefined && (entity === 'user' || me.is_super_admin !== false)
}
