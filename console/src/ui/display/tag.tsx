import type { ReactNode } from 'react'
import classes from './tag.module.css'

export type Tone = 'violet' | 'teal' | 'amber' | 'red' | 'plain'

export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  )
}

/** Tags in a row; in a table on one line. */
export function Tags({ children }: { children: ReactNode }) {
  return <span className={classes.tags}>{children}</span>
}

/** An enum value, as the API sends it. */
export function Code({ children }: { children: ReactNode }) {
  return <span className={classes.code}>{children}</span>
}
