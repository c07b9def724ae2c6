import '@mantine/core/styles/Popover.layer.css'
import { Popover } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import classes from './floating.module.css'

type FloatingProps = {
  /** The accessible name of what floats. */
  label: string
  isOpen: boolean
  onChange: (isOpen: boolean) => void
  /** The button that opens it. */
  target: ReactNode
  /** Which edges of both are aligned. */
  at?: 'start' | 'end'
  children: ReactNode
}

/** Content that floats below its button. It takes the focus, and returns it. */
export function Floating({ label, isOpen, onChange, target, at = 'start', children }: FloatingProps) {
  return (
    <Popover
      opened={isOpen}
      onChange={onChange}
      position={`bottom-${at}`}
      trapFocus
      returnFocus
      withinPortal={false}
      transitionProps={{ duration: 100 }}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Suspense fallback={<div className={classes.loading} />}>{children}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
