import { Button } from '@mantine/core'
import { lazy, useState } from 'react'
import { Floating } from '../../../ui/list/floating.tsx'
import type { ShownColumns } from './use-columns.ts'

const ViewsPanel = lazy(() => import('../views-panel.tsx').then((module) => ({ default: module.ViewsPanel })))

/** A button that opens the saved views of a list. */
export function ViewsMenu({ of }: { of: ShownColumns }) {
  const [isOpen, setOpen] = useState(false)
  if (!of.canKeep) return null
  return (
    <Floating
      at="end"
      isOpen={isOpen}
      onChange={setOpen}
      target={
        <Button variant="default" onClick={() => setOpen(!isOpen)}>
          Views
        </Button>
      }
    >
      <ViewsPanel of={of} onDone={() => setOpen(false)} />
    </Floating>
  )
}
