import '@mantine/core/styles/Popover.layer.css'
import { Popover } from '@mantine/core'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import classes from './floating.module.css'

type FloatingProps = {
  isOpen: boolean
  onChange: (isOpen: boolean) => void
  /** The button that opens it, and gives it its accessible name. */
  target: ReactNode
  /** Which edges of both are aligned. */
  at?: 'start' | 'end'
  children: ReactNode
}

/** Content that floats below its button. It takes the focus, and returns it. */
export function Floating({ isOpen, onChange, target, at = 'start', children }: FloatingProps) {
  const dropdown = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ left: string; top: string }>()

  /** A choice in it may move its button. It stays where it opened. */
  function keepPlace() {
    if (dropdown.current && at === 'start')
      setPlace({ left: dropdown.current.style.left, top: dropdown.current.style.top })
  }

  return (
    <Popover
      opened={isOpen}
      onChange={onChange}
      position={`bottom-${at}`}
      trapFocus
      returnFocus
      withinPortal={false}
      transitionProps={{ duration: 100 }}
      onEnterTransitionEnd={keepPlace}
      onExitTransitionEnd={() => setPlace(undefined)}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown ref={dropdown} {...(place && { style: place })}>
        <Suspense fallback={<div className={classes.loading} />}>{children}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
