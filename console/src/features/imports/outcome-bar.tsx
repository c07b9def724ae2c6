import { formatNumber } from '../../ui/display/format.ts'
import { inOrder, outcomeCount, outcomeTone } from '../sheets/shared/outcomes.ts'
import classes from './outcome-bar.module.css'

type BarProps = { counts: Record<string, number> }

/** How the rows are divided, as a thin bar with the numbers in words. */
export function SmallOutcomeBar({ counts }: BarProps) {
  const parts = inOrder(counts)
  if (parts.length === 0) return null
  const words = parts.map(([outcome, count]) => outcomeCount(outcome, count)).join(', ')
  return (
    <span className={classes.small} data-block>
      <span className={classes.bar} aria-hidden="true">
        {parts.map(([outcome, count]) => (
          <span key={outcome} data-tone={outcomeTone(outcome)} style={{ flexGrow: count }} />
        ))}
      </span>
      <span className={classes.words}>{words}</span>
    </span>
  )
}

type FilterProps = BarProps & { chosen: string | undefined; onChoose: (outcome: string | undefined) => void }

/** The same bar, where a part can be clicked. For the mouse only: the chips below it do the same with any device. */
export function OutcomeFilterBar({ counts, chosen, onChoose }: FilterProps) {
  return (
    <div className={classes.wide} aria-hidden="true">
      {inOrder(counts).map(([outcome, count]) => (
        <button
          key={outcome}
          type="button"
          tabIndex={-1}
          className={classes.part}
          data-tone={outcomeTone(outcome)}
          data-faded={(chosen !== undefined && chosen !== outcome) || undefined}
          style={{ flexGrow: count }}
          title={`${outcome}: ${formatNumber(count)}`}
          onClick={() => onChoose(chosen === outcome ? undefined : outcome)}
        />
      ))}
    </div>
  )
}
