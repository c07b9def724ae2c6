import type { Operation } from '@watchdesk/contract/operations/operations'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import { undoneText } from './effects.ts'

type Result = Pick<Operation, 'kind' | 'counts' | 'summary' | 'is_redo'>

const HAVE_OUTCOMES: Operation['kind'][] = [
  ...(['source_import', 'platform_import', 'stories_import', 'users_import'] as const),
  ...(['users_change', 'workspaces_change', 'dashboards_change'] as const),
]

/** Whether each row has an outcome. The counts of others are not those of rows. */
export function hasOutcomes({ kind }: Pick<Operation, 'kind'>) {
  return HAVE_OUTCOMES.includes(kind)
}

/** What an import that is done has changed: '2,841 of 3,000 rows added'. */
export function resultText(result: Result): string {
  const { kind, counts, summary, is_redo } = result
  if (summary) return summary
  const of = (...outcomes: string[]) => outcomes.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)
  const total = of(...Object.keys(counts))
  const rows = formatCount(total, 'row')
  switch (kind) {
    case 'source_import':
      return of('requested') === 0 ? `No new sources in ${rows}` : `${formatNumber(of('requested'))} of ${rows} added`
    case 'platform_import':
      return of('added', 'updated') === 0
        ? `Nothing new in ${rows}`
        : `${formatCount(of('added'), 'source')} added and ${formatNumber(of('updated'))} updated, from ${rows}`
    case 'export':
      return `${formatCount(total, 'source')} exported`
    case 'stories_import':
      return of('imported') === 0 ? `No new stories in ${rows}` : `${formatNumber(of('imported'))} of ${rows} imported`
    case 'sheet_replacement':
      return `The sheet got ${rows}`
    case 'sources_change':
      return `${formatCount(total, 'source')} changed`
    case 'users_change':
      return `${formatCount(of('changed'), 'user')} changed`
    case 'workspaces_change':
      return `${formatCount(of('changed'), 'workspace')} changed`
    case 'dashboards_change':
      return `${formatCount(of('changed'), 'dashboard')} changed`
    case 'users_import':
      return `${formatNumber(of('added'))} of ${formatCount(total, 'user')} added`
    case 'undo':
      return undoneText(counts, is_redo) ?? 'Nothing was left to change'
  }
}
