import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './side-menu.module.css'

type MenuDrawerProps = { isOpen: boolean; onClose: () => void; children: ReactNode }

export function MenuDrawer({ isOpen, onClose, children }: MenuDrawerProps) {
  // Drawer restores the focus only if it was mounted before it opened.
  const isMounted = useMounted()
  return (
    <Drawer.Root opened={isMounted && isOpen} onClose={onClose} size={280} transitionProps={{ duration: 120 }}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Drawer.Body className={classes.drawer}>
          <Drawer.CloseButton className={classes.close} aria-label="Close menu" />
          <nav aria-label="Main">{children}</nav>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
