import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { RESULT_COLUMNS } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { newRows } from '../../adapters/sheets/new-rows.ts'
import type { Sheets } from '../../adapters/sheets/sheets.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { type Call, once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'
import type { CheckedPart, Summary } from './check-import.ts'
import { countStaged, stageRows } from './stage.ts'

type Import = {
  pieces: AsyncIterable<CheckedPart>
  /** Called after the whole input was read. Throws if it is invalid. */
  check(summary: Summary): void
}

export function sourceImportStore(rights: Rights, sheets: Sheets) {
  return { create }

  /** Saves the sources, the sheet with the outcome of every row, and the audit event in one transaction. */
  function create(actor: Actor, { pieces, check }: Import, call: Call): Promise<SourceImportResult> {
    return rights.writeCopying(actor, TIMEOUT_MS.sources, (trx, copy) =>
      once(trx, actor, call, async () => {
        check(await stageRows(trx, copy, pieces))
        await insertSources(trx, actor)
        const outcomes = await countStaged(trx)
        const inputs_count = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
        const sheet = await sheets.create(trx, actor, {
          title: `Source import of ${actor.name}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
          origin: 'source_import',
          header: RESULT_COLUMNS,
          row_count: inputs_count,
          rows: newRows(trx, RESULT_ROWS),
          outcomeColumn: 'outcome' satisfies (typeof RESULT_COLUMNS)[number],
        })
        const changes = changesBetween({}, { inputs_count, ...outcomes, created_sheet_url: sheet.url })
        await audit(trx, actor, { action: 'import', entity: 'sources', entity_id: null, changes })
        const requested_count = outcomes.requested ?? 0
        return { error_message: null, requested_count, inputs_count, created_sheet_url: sheet.url, outcomes }
      }),
    )
  }
}

const RESULT_ROWS = sql`select row_number() over (order by number) as place,
  array[number::text, written_url, written_country, coalesce(platform, ''), outcome] as cells from incoming`

/** Inserts new sources, always in the same order, so that concurrent imports of the same rows do not deadlock. */
async function insertSources(trx: Trx, actor: Actor) {
  await sql`with inserted as (
      insert into sources (platform, url, country, created_by, updated_by)
      select platform, url, country, ${actor.id}::int, ${actor.id}::int from incoming where outcome = 'requested'
      order by platform, url
      on conflict (platform, url) do nothing
      returning platform, url
    )
    update incoming set outcome = 'already monitored' where outcome = 'requested' and not exists (
      select from inserted where inserted.platform = incoming.platform and inserted.url = incoming.url)`.execute(trx)
}
