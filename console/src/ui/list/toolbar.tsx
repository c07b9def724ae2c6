import type { ReactNode } from 'react'
import classes from './toolbar.module.css'

/** Between the heading of a page and its table: filters on the left, what else can be done with the list on the right. */
export function Toolbar({ tools, children }: { tools: ReactNode; children?: ReactNode }) {
  return (
    <div className={classes.toolbar}>
      <div className={classes.filters}>{children}</div>
      <div className={classes.tools}>{tools}</div>
    </div>
  )
}
