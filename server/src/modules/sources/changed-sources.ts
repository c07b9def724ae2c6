import { countryName } from '@watchdesk/contract/countries'
import type { OperationRows } from '@watchdesk/contract/operations/operations'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { OperationKind } from '../operations/kind.ts'

type Range = { offset: number; limit: number }
type Changed = { number: number; url: string | null; before: string | null }

/** A change of many sources keeps no rows: they follow from what the sources were before. */
export const changedRows: OperationKind['changed'] = {
  header: ['source_url', 'before', 'after'],
  noFile: 'A bulk change of sources has no file, because it read no rows. Its page lists what it changed.',
  read,
}

/** The sources that a change of many has changed, in the order of their ids, with what they were before and after. */
async function read(
  db: Db,
  { id, details }: { id: number; details: Record<string, unknown> },
  { offset, limit }: Range,
): Promise<OperationRows['rows']> {
  // Rows before the range are skipped in the index alone.
  const rows = await rowsOf(
    db,
    sql<Changed>`select ${offset}::int + row_number() over (order by record_id) as number, sources.url,
        before ->> 'country' as before
      from (select record_id from operation_changes where operation_id = ${id} order by record_id
        offset ${offset} limit ${limit}) as part
      join operation_changes using (record_id) left join sources on sources.id = record_id
      where operation_id = ${id} order by record_id`,
  )
  const after = details.action === 'remove' ? 'removed' : nameOf(details.country)
  return rows.map(({ number, url, before }) => ({
    number: Number(number),
    // Removed sources are deleted for good after a while.
    cells: [url ?? 'deleted', nameOf(before), after],
  }))
}

function nameOf(country: unknown) {
  return typeof country === 'string' ? countryName(country) : 'no country'
}
