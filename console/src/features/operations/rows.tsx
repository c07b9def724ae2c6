import { useQuery } from '@tanstack/react-query'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { RowGrid } from '../sheets/shared/grid.tsx'
import { headerQuery, rowsQuery } from './queries.ts'
import { reasonOf } from './shared/reasons.ts'
import { hasOutcomes, titleOf } from './shared/words.ts'

type RowsProps = { shown: Operation; outcome: string | undefined }

/** All rows of the import, or those with one outcome, each with its reason in words. */
export function Rows({ shown, outcome }: RowsProps) {
  const { data: header, error, refetch } = useQuery(headerQuery(shown.id))
  if (error && !header) return <Failed error={error} retry={() => void refetch()} />
  if (!header) return <Loading label="Loading the rows" />
  const outcomeAt = hasOutcomes(shown) ? header.indexOf('outcome') : -1
  const hasReason = header.includes('reason')
  const isExplained = outcomeAt >= 0 && !hasReason
  const table = {
    title: `Rows of ${titleOf(shown)}`,
    header: isExplained ? [...header, 'what it means'] : header,
    row_count: shown.rows_count ?? 0,
    outcomes: outcomeAt >= 0 ? shown.counts : null,
    ...(isExplained && { note: header.length }),
    ...(hasReason && { note: header.indexOf('reason') }),
  }
  const explain = (cells: string[]) => (isExplained ? [...cells, reasonOf(cells[outcomeAt] ?? '', shown.kind)] : cells)
  return (
    <RowGrid
      table={table}
      rows={rowsQuery(shown.id, outcome, explain)}
      total={outcome === undefined ? table.row_count : (shown.counts[outcome] ?? 0)}
      isFiltered={outcome !== undefined}
    />
  )
}
