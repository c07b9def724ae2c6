import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useRestoreFocus } from '../../../ui/form/use-restore-focus.ts'

type ActionButtonProps = ButtonProps & {
  onClick: () => Promise<unknown>
  'aria-label'?: string
  children: ReactNode
}

/** Shows a loader while its action runs, which handles its own errors. */
export function ActionButton({ onClick, ...button }: ActionButtonProps) {
  const [pending, setPending] = useState(false)
  const running = useRef(false)
  const element = useRef<HTMLButtonElement>(null)
  // A dialog cannot return it to a button that is disabled.
  useRestoreFocus(pending, element)

  async function run() {
    // State alone would let through a second event before the next render.
    if (running.current) return
    running.current = true
    setPending(true)
    await onClick().finally(() => {
      running.current = false
      setPending(false)
    })
  }

  return (
    <Button
      ref={element}
      variant="default"
      size="compact-sm"
      {...button}
      loading={pending}
      onClick={() => void run()}
    />
  )
}
