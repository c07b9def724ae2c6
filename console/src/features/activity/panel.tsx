import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useIsDialogOpen } from '../../ui/dialog/dialogs.tsx'
import classes from './panel.module.css'
import type { HistoryRecord } from './shared/history-queries.ts'
import { RecordEvents } from './shared/record-events.tsx'

type HistoryPanelProps = {
  of: HistoryRecord
  isOpen: boolean
  onClose: () => void
  onPutBack?: (() => Promise<unknown>) | undefined
}

/** The events of one record, in a panel above its page. On a phone it fills the screen. */
export function HistoryPanel({ of: record, isOpen, onClose, onPutBack }: HistoryPanelProps) {
  // Drawer restores the focus only if it was mounted before it opened.
  const isMounted = useMounted()
  const isBelowDialog = useIsDialogOpen()
  return (
    <Drawer
      opened={isMounted && isOpen}
      onClose={onClose}
      title="History"
      position="right"
      size="min(100%, 52rem)"
      // Otherwise Escape would close both the dialog and the panel.
      closeOnEscape={!isBelowDialog}
      closeButtonProps={{ 'aria-label': 'Close history' }}
      transitionProps={{ duration: 120 }}
      attributes={{ header: { role: 'none' } }}
      classNames={{ title: classes.title, body: classes.body }}
    >
      <RecordEvents of={record} heading="h3" onPutBack={onPutBack} />
    </Drawer>
  )
}
