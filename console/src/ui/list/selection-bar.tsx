import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatNumber } from '../display/format.ts'
import { Icon } from '../display/icon.tsx'
import classes from './selection-bar.module.css'
import type { Selection } from './use-selection.ts'

type BarProps<Row> = {
  selection: Selection<Row>
  /** What is being done with the selection, in place of the actions. */
  pending?: ReactNode
  children: ReactNode
}

/** What can be done with the selected rows, at the bottom of the table. */
export function SelectionBar<Row>({ selection, pending, children }: BarProps<Row>) {
  const { length } = selection.chosen
  return (
    <section className={classes.bar} aria-label="Selection">
      <span className={classes.count} aria-live="polite">
        {pending ?? `${formatNumber(length)} selected`}
      </span>
      {!pending && (
        <>
          {children}
          <UnstyledButton className="icon-button" aria-label="Clear selection" onClick={selection.clear}>
            <Icon name="close" />
          </UnstyledButton>
        </>
      )}
    </section>
  )
}
