import type { Import } from '@watchdesk/contract/imports'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import { undoneText } from './effects.ts'

type Result = Pick<Import, 'kind' | 'counts' | 'summary'>

const HAVE_OUTCOMES: Import['kind'][] = ['source_import', 'platform_import', 'stories_import']

/** Whether each row has an outcome. The counts of others are not those of rows. */
export function hasOutcomes({ kind }: Pick<Import, 'kind'>) {
  return HAVE_OUTCOMES.includes(kind)
}

/** What an import that is done has changed: '2,841 of 3,000 rows added'. */
export function resultText(result: Result): string {
  const { kind, counts, summary } = result
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
    case 'undo':
      return undoneText(counts) ?? 'Nothing was left to change'
  }
}

/** Why a row was imported or not, and what to do about it. */
const REASONS: Record<string, string> = {
  requested: 'The source was added.',
  added: 'The source was added.',
  updated: 'The source got this country.',
  unchanged: 'The source was already like this.',
  imported: 'The story was imported.',
  'already there': 'The narrative already has this story.',
  'already monitored': 'The source was there already. Nothing was changed.',
  'repeated in the file': 'The same address is in a row above.',
  'repeated in the sheet': 'The same address is in a row above.',
  'unsupported platform': 'Sources of this platform cannot be imported here.',
  'URL of another platform': 'The address is of another platform than the sheet.',
  'invalid URL': 'This is not the address of a source. Write it like https://t.me/name.',
  invalid: 'A cell is missing or too long. Compare the row with the columns of the file.',
  'unknown country': 'The country is not known. Write its name or two-letter code.',
}

/** The same outcome means something else in a file of stories. */
const REASONS_OF_STORIES: Record<string, string> = {
  ...REASONS,
  'repeated in the file': 'The same story is in a row above.',
}

export function reasonOf(outcome: string, kind: Import['kind']) {
  const reasons = kind === 'stories_import' ? REASONS_OF_STORIES : REASONS
  return Object.hasOwn(reasons, outcome) ? (reasons[outcome] ?? '') : ''
}
