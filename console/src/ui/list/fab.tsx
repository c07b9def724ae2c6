import { Link, type LinkProps } from '@tanstack/react-router'
import { Icon } from '../display/icon.tsx'
import { useBackState } from '../navigation/back-link.ts'
import classes from './fab.module.css'

export type FabProps = Pick<LinkProps, 'to' | 'params' | 'search'> & { label: string }

/** The floating button that adds to a list. It sits on the list's footer, so that it never covers a row. */
export function Fab({ label, ...link }: FabProps) {
  const backState = useBackState()
  return (
    <Link {...link} state={backState} className={classes.fab} aria-label={label} title={label}>
      <Icon name="plus" size={24} />
    </Link>
  )
}
