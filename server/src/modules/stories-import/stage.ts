import { STORIES_COLUMNS } from '@watchdesk/contract/stories-import'
import { TableError } from '@watchdesk/contract/table-error'
import { sql } from 'kysely'
import { readWith } from '../../adapters/tables/read-table.ts'
import { countSent, digestOf, type Sent, storyChecksumIn } from '../../db/checksum.ts'
import type { Copy } from '../../db/copy.ts'
import type { Trx } from '../../db/open.ts'
import type { Upload } from '../../plugins/upload.ts'
import { invalid, Problem } from '../../problem.ts'
import type { RowsToSave } from '../operations/record.ts'
import { copyLines, type Reports } from '../source-import/stage.ts'
import type { StoriesEnd, StoryLines } from './story-lines.ts'

const FAULTS_LISTED = 10
const INVALID_COLUMNS = ['row', ...STORIES_COLUMNS, 'reason', 'outcome']

export type StoriesFile = Pick<Upload, 'path' | 'name' | 'kind' | 'bytes'>

export type Reading = { deadlineMs: number; signal?: AbortSignal; reports?: Reports }

export async function stageFile(trx: Trx, copy: Copy, { path, kind }: StoriesFile, { reports, ...options }: Reading) {
  await sql`create temp table incoming (place integer not null, narrative_id integer not null,
    message_composite_id text not null, story text not null, sentiment_score double precision, platform text,
    content_type text, outcome text not null default 'imported', digest uuid not null generated always as
      (${digestOf(sql`message_composite_id`, sql`story`)}) stored) on commit drop`.execute(trx)
  const columns = 'incoming (place, narrative_id, message_composite_id, story, sentiment_score, platform, content_type)'
  const pieces = readWith<StoryLines>('modules/stories-import/stories', { path, kind }, options)
  const end = await copyLines<StoriesEnd>(copy, columns, pieces, reports).catch((error) => {
    throw error instanceof TableError ? invalid('file', error.message) : error
  })
  if ('faults' in end) throw new InvalidRows(end)
  return end.summary
}

export class InvalidRows extends Problem {
  readonly kept: RowsToSave

  constructor({ faults, more }: Extract<StoriesEnd, { more: number }>) {
    const lines = faults.slice(0, FAULTS_LISTED).map(({ row, fault }) => `Row ${row}: ${fault}`)
    const others = more + faults.length - lines.length
    if (others > 0) lines.push(`… and ${others.toLocaleString('en')} more ${others === 1 ? 'row' : 'rows'}.`)
    super(
      422,
      lines.map((msg) => ({ loc: ['body', 'file'], msg, type: 'value_error' })),
    )
    this.kept = {
      header: INVALID_COLUMNS,
      rows: faults.map(({ row, fault, cells }) => [String(row), ...cells, fault, 'invalid']),
      counts: { invalid: faults.length },
    }
  }
}

export function countStored(trx: Trx, staged: Sent) {
  const rows = sql`select ${storyChecksumIn(sql`digest`)} as checksum, outcome = 'imported' as is_sent from incoming`
  return countSent(trx, rows, staged)
}
