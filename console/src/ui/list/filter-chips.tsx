import type { ReactNode } from 'react'
import { formatNumber } from '../display/format.ts'
import type { Tone } from '../display/tag.tsx'
import classes from './filter-chips.module.css'

/** Buttons that filter a list; one of them is selected. */
export function FilterChips({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={classes.chips} aria-label={label}>
      {children}
    </fieldset>
  )
}

type ChipProps = { label: string; count: number; tone?: Tone; isOn: boolean; disabled?: boolean; onClick: () => void }

export function FilterChip({ label, count, tone, isOn, disabled, onClick }: ChipProps) {
  return (
    <button type="button" className={classes.chip} aria-pressed={isOn} disabled={disabled} onClick={onClick}>
      {tone && <span className={classes.dot} data-tone={tone} />}
      {label} <span className={classes.count}>{formatNumber(count)}</span>
    </button>
  )
}
