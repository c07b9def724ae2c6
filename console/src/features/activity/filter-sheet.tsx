import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Button, Drawer } from '@mantine/core'
import classes from './filters.module.css'
import { FilterFields } from './filters.tsx'

/** The filters on a phone, from the bottom. */
export function FilterSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer
      opened={isOpen}
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
        <FilterFields />
        <Button onClick={onClose}>Show events</Button>
      </div>
    </Drawer>
  )
}
