import type { Import } from '@watchdesk/contract/imports'
import { formatCount, formatNumber } from '../../ui/display/format.ts'

type Result = Pick<Import, 'kind' | 'counts' | 'rows_count' | 'summary'>

/** What an import that is done has changed: '2,841 of 3,000 rows added'. */
export function resultText(result: Result): string {
  if (result.summary) return result.summary
  const of = (...outcomes: string[]) => outcomes.reduce((sum, outcome) => sum + (result.counts[outcome] ?? 0), 0)
  const total = result.rows_count ?? of(...Object.keys(result.counts))
  const rows = formatCount(total, 'row')
  switch (result.kind) {
    case 'source_import': {
      const added = of('requested')
      return added === 0 ? `No new sources in ${rows}` : `${formatNumber(added)} of ${rows} added`
    }
    case 'platform_import': {
      const [added, updated] = [of('added', 'requested'), of('updated')]
      if (added + updated === 0) return `Nothing new in ${rows}`
      return `${formatCount(added, 'source')} added and ${formatNumber(updated)} updated from ${rows}`
    }
    case 'export':
      return `${formatCount(total, 'source')} exported`
    case 'stories_import': {
      const imported = of('imported')
      return imported === 0 ? `No new stories in ${rows}` : `${formatNumber(imported)} of ${rows} imported`
    }
    case 'sheet_replacement':
      return `The sheet now has ${rows}`
    default:
      return 'Nothing was changed'
  }
}

/** Why a row was imported or not, and what to do about it. */
const REASONS: Record<string, string> = {
  requested: 'The source was added.',
  added: 'The source was added.',
  updated: 'The source got this country.',
  unchanged: 'The source was already like this.',
  imported: 'The story was imported.',
  'already monitored': 'The source was there already. Nothing was changed.',
  'repeated in the file': 'The same address is in a row above.',
  'unsupported platform': 'Sources of this platform cannot be imported here.',
  'URL of another platform': 'The address is of another platform than the sheet.',
  'invalid URL': 'This is not the address of a source. Write it like https://t.me/name.',
  'unknown country': 'The country is not known. Write its name or two-letter code.',
}

export function reasonOf(outcome: string) {
  return Object.hasOwn(REASONS, outcome) ? (REASONS[outcome] ?? '') : ''
}
