import './dialog-styles.ts'
import { ModalsProvider } from '@mantine/modals'
import { useEffect } from 'react'

export function DialogsHost({ onReady }: { onReady: () => void }) {
  useEffect(onReady, [onReady])
  return <ModalsProvider />
}
