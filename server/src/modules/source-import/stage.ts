import type { JobProgress } from '@watchdesk/contract/jobs'
import { sql } from 'kysely'
import { countSent, SOURCE_CHECKSUM } from '../../db/checksum.ts'
import type { Copy } from '../../db/copy.ts'
import type { Trx } from '../../db/open.ts'
import type { CheckedPart, Summary } from './check-import.ts'

/** Enough to sort a hundred thousand rows in memory. At most two imports run at a time. */
const SORT_MEMORY = '32MB'

export type Reports = { total: number | null; progress(now: JobProgress): void }

export type SourceRows = {
  pieces: AsyncIterable<CheckedPart>
  /** Called after the whole input was read. Throws if it is invalid. */
  check?(summary: Summary): void
  reports?: Reports
}

/** Copies the lines of a worker into a table. Returns what else it yields, which is the end. */
export async function copyLines<End extends object>(
  copy: Copy,
  table: string,
  pieces: AsyncIterable<{ lines: Uint8Array; rows: number } | End>,
  reports?: Reports,
): Promise<End> {
  let end: End | undefined
  let rows = 0
  async function* lines() {
    for await (const piece of pieces) {
      if ('lines' in piece) {
        yield piece.lines
        rows = piece.rows
        reports?.progress({ step: 'checking', done: rows, total: reports.total })
      } else end = piece
    }
    reports?.progress({ step: 'storing', done: 0, total: rows })
  }
  await copy(table, lines())
  if (!end) throw new Error('The row check ended without a summary')
  return end
}

/** Bytes are several times faster to sort than words of a language, and any order that is always the same will do. */
export async function stageRows(trx: Trx, copy: Copy, { pieces, check, reports }: SourceRows) {
  await sql`set local work_mem = ${sql.lit(SORT_MEMORY)}`.execute(trx)
  await sql`create temp table incoming (place integer not null, number integer not null, written_url text not null,
    written_country text not null, platform text collate "C", url text collate "C", country text, outcome text not null,
    source_id bigint) on commit drop`.execute(trx)
  const columns = 'incoming (place, number, written_url, written_country, platform, url, country, outcome)'
  const { summary } = await copyLines(copy, columns, pieces, reports)
  check?.(summary)
  return summary
}

/** Marks the rows with the source of an earlier row, or another key, if it is not null. */
export async function markRepeated(trx: Trx, key = sql`platform, url`) {
  await sql`update incoming set outcome = 'repeated in the file' from (
      select place, row_number() over (partition by ${key} order by place) as occurrence
      from incoming where (${key}) is not null
    ) as counted where counted.place = incoming.place and counted.occurrence > 1`.execute(trx)
}

export async function countStaged(trx: Trx): Promise<Record<string, number>> {
  const { rows } = await sql<{ outcome: string; count: number }>`select outcome, count(*) as count from incoming
    group by outcome order by min(place)`.execute(trx)
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

export function countStored(trx: Trx, { valid, checksum }: Summary) {
  const rows = sql`select ${SOURCE_CHECKSUM} as checksum, outcome in ('requested', 'added', 'updated') as is_sent
    from incoming where url is not null`
  return countSent(trx, rows, { count: valid, checksum })
}
