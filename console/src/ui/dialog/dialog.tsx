import './dialog-styles.ts'
import { Modal } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ReactNode } from 'react'

export type DialogProps = {
  id: number
  title: ReactNode
  size: string
  content: ReactNode
  isOpen: boolean
  /** Only its own buttons close it. */
  isFirm: boolean
  onClose: () => void
}

export function Dialog({ title, size, content, isOpen, isFirm, onClose }: DialogProps) {
  // Modal restores the focus only if it was mounted before it opened.
  const isMounted = useMounted()
  return (
    <Modal
      opened={isMounted && isOpen}
      onClose={onClose}
      title={title}
      size={size}
      centered
      withCloseButton={!isFirm}
      closeOnEscape={!isFirm}
      closeOnClickOutside={!isFirm}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
    >
      {content}
    </Modal>
  )
}
