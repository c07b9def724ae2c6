import { Link, type LinkProps } from '@tanstack/react-router'
import classes from './fab.module.css'
import { Icon } from './icon.tsx'

/** The round button that adds to a list. Pages leave room below, so that it never lies on the last row's actions. */
export function Fab({ label, ...link }: Pick<LinkProps, 'to' | 'params' | 'search'> & { label: string }) {
  return (
    <Link {...link} className={classes.fab} aria-label={label} title={label}>
      <Icon name="plus" size={24} />
    </Link>
  )
}
