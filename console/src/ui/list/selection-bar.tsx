import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatNumber } from '../display/format.ts'
import { Icon } from '../display/icon.tsx'
import { keepFocus } from '../navigation/keep-focus.ts'
import classes from './selection-bar.module.css'
import type { Selection } from './use-selection.ts'

type BarProps<Row> = {
  selection: Selection<Row>
  /** How many are selected, if more than the rows that were checked. */
  count?: number
  /** What is being done with the selection, in place of the actions. */
  pending?: ReactNode
  children: ReactNode
}

/** What can be done with the selected rows, at the bottom of the table. */
export function SelectionBar<Row>({ selection, count = selection.chosen.length, pending, children }: BarProps<Row>) {
  return (
    <section className={classes.bar} aria-label="Selection" data-selection-bar>
      <span className={classes.count} aria-live="polite">
        {pending ?? `${formatNumber(count)} selected`}
        {!pending && (
          <>
            <span className={classes.enter}> Press comma for actions</span>
            <span className={classes.leave}> Press Escape to return</span>
          </>
        )}
      </span>
      {!pending && (
        <>
          {children}
          <UnstyledButton
            className={`icon-button ${classes.clear}`}
            aria-label="Clear selection"
            onClick={() => {
              selection.clear()
              keepFocus()
            }}
          >
            <Icon name="close" />
          </UnstyledButton>
        </>
      )}
    </section>
  )
}
