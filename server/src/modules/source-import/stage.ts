import { sql } from 'kysely'
import { countSent, SOURCE_CHECKSUM } from '../../db/checksum.ts'
import type { Copy } from '../../db/copy.ts'
import type { Trx } from '../../db/open.ts'
import type { CheckedPart, Summary } from './check-import.ts'

/** Enough to sort a hundred thousand rows in memory. At most two imports run at a time. */
const SORT_MEMORY = '32MB'

export type Reports = {
  /** The number of rows so far. */
  onRows(rows: number): void
  /** All rows were read. */
  onEnd(): void
}

/**
 * Copies checked rows into a temporary table. Bytes are several times faster to sort than words of a language, and any
 * order that is always the same will do.
 */
export async function stageRows(
  trx: Trx,
  copy: Copy,
  pieces: AsyncIterable<CheckedPart>,
  reports?: Reports,
): Promise<Summary> {
  await sql`set local work_mem = ${sql.lit(SORT_MEMORY)}`.execute(trx)
  await sql`create temp table incoming (place integer not null, number integer not null, written_url text not null,
    written_country text not null, platform text collate "C", url text collate "C", country text, outcome text not null,
    source_id bigint) on commit drop`.execute(trx)
  let summary: Summary | undefined
  await copy(
    'incoming (place, number, written_url, written_country, platform, url, country, outcome)',
    (async function* () {
      for await (const piece of pieces) {
        if ('summary' in piece) summary = piece.summary
        else {
          yield piece.lines
          reports?.onRows(piece.rows)
        }
      }
      reports?.onEnd()
    })(),
  )
  if (!summary) throw new Error('The row check ended without a summary')
  return summary
}

/** Marks the rows with the source of an earlier row, or another key, if it is not null. */
export async function markRepeated(trx: Trx, key = sql`platform, url`, place = sql.ref('place')) {
  await sql`update incoming set outcome = 'repeated in the file' from (
      select ${place}, row_number() over (partition by ${key} order by ${place}) as occurrence
      from incoming where (${key}) is not null
    ) as counted where counted.${place} = incoming.${place} and counted.occurrence > 1`.execute(trx)
}

export async function countStaged(trx: Trx, place = sql.ref('place')): Promise<Record<string, number>> {
  const { rows } = await sql<{ outcome: string; count: number }>`select outcome, count(*) as count from incoming
    group by outcome order by min(${place})`.execute(trx)
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

/** The rows with one of these outcomes have to be found in the table of sources after the commit. */
export function countStored(trx: Trx, { valid, checksum }: Summary, outcomes: string[]) {
  const rows = sql`select ${SOURCE_CHECKSUM} as checksum, outcome = any(${outcomes}) as is_sent from incoming
    where url is not null`
  return countSent(trx, rows, { count: valid, checksum })
}
