import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Button, Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './filter-bar.module.css'

type FilterSheetProps = { isOpen: boolean; onClose: () => void; done: string; children: ReactNode }

/** The filters on a phone, from the bottom. */
export function FilterSheet({ isOpen, onClose, done, children }: FilterSheetProps) {
  // Drawer restores the focus only if it was mounted before it opened.
  const isMounted = useMounted()
  return (
    <Drawer
      opened={isMounted && isOpen}
      onClose={onClose}
      position="bottom"
      size="auto"
      title="Filters"
      closeButtonProps={{ 'aria-label': 'Close filters' }}
      transitionProps={{ duration: 120 }}
      // Mantine's header would be a second banner landmark.
      attributes={{ header: { role: 'none' } }}
    >
      <div className={classes.sheet}>
        {children}
        <Button onClick={onClose}>{done}</Button>
      </div>
    </Drawer>
  )
}
