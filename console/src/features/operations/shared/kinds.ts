import type { Job } from '@watchdesk/contract/jobs'
import type { OperationKindName } from '@watchdesk/contract/operations/kinds'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import { undoneText } from './effects.ts'

type Counts = Operation['counts']

type Kind = {
  /** What it changes, if an undo can ask about single ones. */
  noun?: 'source' | 'user' | 'workspace' | 'dashboard' | 'sheet'
  /** What one that is done has changed: '2,841 of 3,000 rows added'. */
  result: (counts: Counts, isRedo: boolean) => string
  /** Whether each row has an outcome. The counts of others are not those of rows. */
  hasOutcomes?: true
  /** Outcomes that have another reason than in other kinds. */
  reasons?: Record<string, string>
  /** Whether the sources list can show the sources that it added. */
  addsSources?: true
  /** What its job does after checking the rows. */
  storing?: string
  /** What the job of a file has imported: '12 stories were'. */
  imported?: (job: Job) => string
}

/** What the console says of a kind of operation, besides what the contract does. */
export const KINDS: Record<OperationKindName, Kind> = {
  source_import: {
    noun: 'source',
    result: (counts) => {
      const { requested = 0 } = counts
      return requested === 0
        ? `No new sources in ${rowsIn(counts)}`
        : `${formatNumber(requested)} of ${rowsIn(counts)} added`
    },
    hasOutcomes: true,
    addsSources: true,
    imported: ({ sources }) => formatCount(sources?.requested_count ?? 0, 'source was', 'sources were'),
  },
  platform_import: {
    noun: 'source',
    result: (counts) => {
      const { added = 0, updated = 0 } = counts
      return added + updated === 0
        ? `Nothing new in ${rowsIn(counts)}`
        : `${formatCount(added, 'source')} added and ${formatNumber(updated)} updated, from ${rowsIn(counts)}`
    },
    hasOutcomes: true,
    addsSources: true,
  },
  export: {
    result: (counts) => `${formatCount(sum(counts), 'source')} exported`,
  },
  stories_import: {
    result: (counts) => {
      const { imported = 0 } = counts
      return imported === 0
        ? `No new stories in ${rowsIn(counts)}`
        : `${formatNumber(imported)} of ${rowsIn(counts)} imported`
    },
    hasOutcomes: true,
    reasons: { 'repeated in the file': 'The same story is in a row above.' },
    imported: ({ stories }) => {
      const count = stories?.summaries.reduce((total, { imported_stories_count }) => total + imported_stories_count, 0)
      return formatCount(count ?? 0, 'story was', 'stories were')
    },
  },
  sheet_replacement: {
    noun: 'sheet',
    result: (counts) => `The sheet got ${rowsIn(counts)}`,
  },
  sources_change: changeOf('source'),
  users_change: { ...changeOf('user'), hasOutcomes: true },
  workspaces_change: { ...changeOf('workspace'), hasOutcomes: true },
  dashboards_change: { ...changeOf('dashboard'), hasOutcomes: true },
  users_import: {
    noun: 'user',
    result: (counts) => `${formatNumber(counts.added ?? 0)} of ${formatCount(sum(counts), 'user')} added`,
    hasOutcomes: true,
  },
  undo: {
    result: (counts, isRedo) => undoneText(counts, isRedo) ?? 'Nothing was left to change',
    storing: 'Undoing the changes',
  },
}

function changeOf(noun: 'source' | 'user' | 'workspace' | 'dashboard'): Kind {
  return {
    noun,
    result: ({ changed = 0 }) => `${formatCount(changed, noun)} changed`,
    storing: `Changing the ${noun}s`,
  }
}

function sum(counts: Counts) {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

function rowsIn(counts: Counts) {
  return formatCount(sum(counts), 'row')
}
