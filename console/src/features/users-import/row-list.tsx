import { useId, useMemo, useState } from 'react'
import { FilterChip, FilterChips } from '../../ui/list/filter-chips.tsx'
import { RowGrid } from '../sheets/shared/grid.tsx'
import { inOrder, outcomeTone } from '../sheets/shared/outcomes.ts'
import { rowsInMemory } from '../sheets/shared/window.ts'

type RowListProps = {
  title: string
  /** The last one is `outcome`, and the one before it explains it. */
  header: string[]
  rows: string[][]
}

let serial = 0

/** Rows with outcomes, all or those of one outcome. */
export function RowList({ title, header, rows }: RowListProps) {
  const id = useId()
  const [wanted, setWanted] = useState<string>()
  const counts = useMemo(() => {
    const counted: Record<string, number> = {}
    for (const row of rows) counted[row.at(-1) ?? ''] = (counted[row.at(-1) ?? ''] ?? 0) + 1
    return counted
  }, [rows])
  const outcome = wanted !== undefined && wanted in counts ? wanted : undefined
  const shown = useMemo(() => (outcome ? rows.filter((row) => row.at(-1) === outcome) : rows), [rows, outcome])
  const query = useMemo(() => {
    serial += 1
    return rowsInMemory(['users-import', id, serial], shown)
  }, [id, shown])
  return (
    <div>
      <FilterChips label="Filter by outcome">
        <FilterChip label="All" count={rows.length} isOn={outcome === undefined} onClick={() => setWanted(undefined)} />
        {inOrder(counts).map(([name, count]) => (
          <FilterChip
            key={name}
            label={name}
            count={count}
            tone={outcomeTone(name)}
            isOn={name === outcome}
            onClick={() => setWanted(name === outcome ? undefined : name)}
          />
        ))}
      </FilterChips>
      <RowGrid
        key={outcome ?? ''}
        table={{ title, header, row_count: rows.length, outcomes: counts, note: header.length - 2 }}
        rows={query}
        total={shown.length}
        isFiltered={outcome !== undefined}
      />
    </div>
  )
}
