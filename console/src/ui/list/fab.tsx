import { Link, type LinkProps } from '@tanstack/react-router'
import { Icon } from '../display/icon.tsx'
import { useFromHere } from '../navigation/came-from.ts'
import classes from './fab.module.css'

export type FabProps = Pick<LinkProps, 'to' | 'params' | 'search'> & { label: string }

/** The round button that adds to a list. It floats with the list's footer, so that it never covers a row. */
export function Fab({ label, ...link }: FabProps) {
  const fromHere = useFromHere()
  return (
    <Link {...link} state={fromHere} className={classes.fab} aria-label={label} title={label}>
      <Icon name="plus" size={24} />
    </Link>
  )
}
