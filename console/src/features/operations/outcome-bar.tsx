import { formatNumber } from '../../ui/display/format.ts'
import type { Tone } from '../../ui/display/tag.tsx'
import { inOrder, outcomeCount, outcomeTone } from '../sheets/shared/outcomes.ts'
import classes from './outcome-bar.module.css'

type BarProps = { counts: Record<string, number> }

/** How the rows are divided, as a thin bar with the numbers in words. */
export function SmallOutcomeBar({ counts }: BarProps) {
  const parts = inOrder(counts).filter(([, count]) => count > 0)
  if (parts.length === 0) return 'No rows'
  const words = parts.map(([outcome, count]) => outcomeCount(outcome, count)).join(', ')
  return (
    <span className={classes.small} data-block title={words}>
      <span className={classes.bar} aria-hidden="true">
        {parts.map(([outcome, count]) => (
          <span key={outcome} data-tone={outcomeTone(outcome)} style={{ flexGrow: count }} />
        ))}
      </span>
      <span className={classes.words}>{shortWords(parts)}</span>
    </span>
  )
}

/** '2,841 added, 112 skipped, 47 failed'. A requested source is one that was added. */
function shortWords(parts: [outcome: string, count: number][]) {
  const sum = (tone: Tone) =>
    parts.reduce((total, [outcome, count]) => total + (outcomeTone(outcome) === tone ? count : 0), 0)
  const named = parts.filter(([outcome]) => outcomeTone(outcome) === 'teal' || outcome === 'unchanged')
  const unchanged = parts.find(([outcome]) => outcome === 'unchanged')?.[1] ?? 0
  const [skipped, failed] = [sum('plain') - unchanged, sum('amber')]
  return [
    ...named.map(([outcome, count]) => `${formatNumber(count)} ${outcome === 'requested' ? 'added' : outcome}`),
    ...(skipped > 0 ? [`${formatNumber(skipped)} skipped`] : []),
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
  ].join(', ')
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
