import { sql } from 'kysely'
import type { Copy } from '../../db/copy.ts'
import type { Trx } from '../../db/open.ts'
import type { CheckedPart, Summary } from './check-import.ts'

/** Copies checked rows into a temporary table and marks repeated sources. */
export async function stageRows(trx: Trx, copy: Copy, pieces: AsyncIterable<CheckedPart>): Promise<Summary> {
  await sql`create temp table incoming (number integer not null, written_url text not null, written_country text not null,
    platform text, url text, country text, outcome text not null) on commit drop`.execute(trx)
  let summary: Summary | undefined
  await copy(
    'incoming',
    (async function* () {
      for await (const piece of pieces) {
        if ('lines' in piece) yield piece.lines
        else summary = piece.summary
      }
    })(),
  )
  if (!summary) throw new Error('The row check ended without a summary')
  await sql`update incoming set outcome = 'repeated in the file' from (
      select number, row_number() over (partition by platform, url order by number) as place
      from incoming where outcome = 'requested'
    ) as counted where counted.number = incoming.number and counted.place > 1`.execute(trx)
  return summary
}

export async function countStaged(trx: Trx): Promise<Record<string, number>> {
  const { rows } = await sql<{ outcome: string; count: number }>`select outcome, count(*) as count from incoming
    group by outcome order by min(number)`.execute(trx)
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}
