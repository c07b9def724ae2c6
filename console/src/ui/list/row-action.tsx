import { Link, type LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon, type IconName } from '../display/icon.tsx'
import { useBackState } from '../navigation/back-link.ts'
import classes from './row-action.module.css'

type Action = { icon: IconName; label: string }
type LinkAction = Action &
  Pick<LinkProps, 'to' | 'params' | 'search'> & { onMouseEnter?: () => void; onFocus?: () => void }

/** A link in a row; its label includes the row's name ('Edit Olena Kovalenko'). */
export function RowLink({ icon, label, ...link }: LinkAction) {
  const backState = useBackState()
  return (
    <Link {...link} state={backState} className={classes.action} aria-label={label} title={label}>
      <Icon name={icon} />
    </Link>
  )
}

/** While the action is under way, its row is dimmed. */
export function RowButton({ icon, label, onClick }: Action & { onClick: () => unknown }) {
  const [isPending, setPending] = useState(false)

  async function run() {
    setPending(true)
    try {
      await onClick()
    } finally {
      setPending(false)
    }
  }

  return (
    <button
      type="button"
      className={classes.action}
      data-danger={icon === 'trash' || undefined}
      aria-label={label}
      title={label}
      // The second click of a double click would hit the row that has moved up.
      onClick={({ detail }) => detail < 2 && !isPending && void run()}
      data-pending={isPending || undefined}
    >
      <Icon name={icon} />
    </button>
  )
}
