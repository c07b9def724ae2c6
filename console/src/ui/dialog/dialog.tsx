import './dialog-styles.ts'
import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'

export type DialogProps = { title: ReactNode; size: string; content: ReactNode; isOpen: boolean; onClose: () => void }

export function Dialog({ title, size, content, isOpen, onClose }: DialogProps) {
  // Modal restores the focus only if it was mounted before it opened.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return (
    <Modal
      opened={isMounted && isOpen}
      onClose={onClose}
      title={title}
      size={size}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
    >
      {content}
    </Modal>
  )
}
