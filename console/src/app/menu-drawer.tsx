import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './side-menu.module.css'

type MenuDrawerProps = { isOpen: boolean; onClose: () => void; children: ReactNode }

export function MenuDrawer({ isOpen, onClose, children }: MenuDrawerProps) {
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} size={280} transitionProps={{ duration: 120 }}>
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
