import { useNavigate } from '@tanstack/react-router'
import { formatNumber } from '../../ui/format.ts'
import classes from './outcome-filter.module.css'
import { inOrder, toneOf } from './outcomes.ts'
import type { Shown } from './queries.ts'

/** A chip for every outcome that some row has, with how many have it. */
export function OutcomeFilter({ sheet, outcome }: Shown) {
  const navigate = useNavigate()
  const show = (wanted: string | undefined) =>
    void navigate({ to: '.', search: { outcome: wanted }, resetScroll: false })
  return (
    <fieldset className={classes.chips} aria-label="Filter by outcome">
      <Chip label="All" count={sheet.row_count} isOn={outcome === undefined} onClick={() => show(undefined)} />
      {inOrder(sheet.outcomes ?? {}).map(([name, count]) => (
        <Chip
          key={name}
          label={name}
          count={count}
          tone={toneOf(name)}
          isOn={name === outcome}
          onClick={() => show(name === outcome ? undefined : name)}
        />
      ))}
    </fieldset>
  )
}

type ChipProps = { label: string; count: number; tone?: string; isOn: boolean; onClick: () => void }

function Chip({ label, count, tone, isOn, onClick }: ChipProps) {
  return (
    <button type="button" className={classes.chip} aria-pressed={isOn} onClick={onClick}>
      {tone && <span className={classes.dot} data-tone={tone} />}
      {label} <span className={classes.count}>{formatNumber(count)}</span>
    </button>
  )
}
