import { useNavigate } from '@tanstack/react-router'
import { FilterChip, FilterChips } from '../../ui/list/filter-chips.tsx'
import type { Shown } from './queries.ts'
import { inOrder, outcomeTone } from './shared/outcomes.ts'

/** A chip with a count for each outcome in the sheet. */
export function OutcomeFilter({ sheet, outcome }: Shown) {
  const navigate = useNavigate()
  const show = (wanted: string | undefined) =>
    void navigate({ to: '.', search: { outcome: wanted }, resetScroll: false })
  return (
    <FilterChips label="Filter by outcome">
      <FilterChip label="All" count={sheet.row_count} isOn={outcome === undefined} onClick={() => show(undefined)} />
      {inOrder(sheet.outcomes ?? {}).map(([name, count]) => (
        <FilterChip
          key={name}
          label={name}
          count={count}
          tone={outcomeTone(name)}
          isOn={name === outcome}
          onClick={() => show(name === outcome ? undefined : name)}
        />
      ))}
    </FilterChips>
  )
}
