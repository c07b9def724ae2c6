import type { Operation } from '@watchdesk/contract/operations/operations'
import { FilterChip, FilterChips } from '../../ui/list/filter-chips.tsx'
import { useChangeSearch } from '../../ui/list/use-list.ts'
import { inOrder, outcomeTone } from '../sheets/shared/outcomes.ts'
import { OutcomeFilterBar } from './outcome-bar.tsx'

type OutcomesProps = { shown: Operation; outcome: string | undefined }

/** How the rows are divided by outcome. A part of the bar, or a chip, shows only its rows. */
export function Outcomes({ shown: { counts, rows_count }, outcome }: OutcomesProps) {
  const change = useChangeSearch()
  const choose = (wanted: string | undefined) => change({ outcome: wanted })
  const parts = inOrder(counts)
  if (parts.length === 0) return null
  return (
    <>
      <OutcomeFilterBar counts={counts} chosen={outcome} onChoose={choose} />
      <FilterChips label="Filter by outcome">
        <FilterChip
          label="All"
          count={rows_count ?? 0}
          isOn={outcome === undefined}
          onClick={() => choose(undefined)}
        />
        {parts.map(([name, count]) => (
          <FilterChip
            key={name}
            label={name}
            count={count}
            tone={outcomeTone(name)}
            isOn={name === outcome}
            onClick={() => choose(name === outcome ? undefined : name)}
          />
        ))}
      </FilterChips>
    </>
  )
}
