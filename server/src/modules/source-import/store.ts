import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { RESULT_COLUMNS } from '@watchdesk/contract/source-row'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { newRows } from '../../adapters/sheets/new-rows.ts'
import type { Sheets } from '../../adapters/sheets/sheets.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { isUniqueViolation } from '../../db/entity.ts'
import { type Call, once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'
import type { CheckedPart, Summary } from './check-import.ts'
import { countStaged, markRepeated, stageRows } from './stage.ts'

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
        const summary = await stageRows(trx, copy, pieces)
        check(summary)
        await insertSources(trx, actor, summary.valid)
        const outcomes = await countStaged(trx)
        const inputs_count = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
        const sheet = await sheets.create(trx, actor, {
          title: `Source import of ${actor.name}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
          origin: 'source_import',
          header: RESULT_COLUMNS,
          row_count: inputs_count,
          rows: newRows(trx, RESULT_ROWS),
          outcomes: { column: 'outcome' satisfies (typeof RESULT_COLUMNS)[number], counts: outcomes },
        })
        const changes = changesBetween({}, { inputs_count, ...outcomes, created_sheet_url: sheet.url })
        await audit(trx, actor, { action: 'import', entity: 'sources', entity_id: null, changes })
        const requested_count = outcomes.requested ?? 0
        return { error_message: null, requested_count, inputs_count, created_sheet_url: sheet.url, outcomes }
      }),
    )
  }
}

const RESULT_ROWS = sql`select place,
  array[number::text, written_url, written_country, coalesce(platform, ''), outcome] as cells from incoming`

/**
 * Inserts new sources. `on conflict do nothing` would take half as long again for every row, so known sources are marked
 * first, and both steps are repeated if another import commits one of the others in between.
 */
async function insertSources(trx: Trx, actor: Actor, valid: number) {
  let inserted: number | undefined
  while (inserted === undefined) {
    await markMonitored(trx)
    inserted = await tryInsert(trx, actor)
  }
  if (inserted < valid) await markRepeated(trx)
}

async function markMonitored(trx: Trx) {
  await sql`update incoming set outcome = 'already monitored' from sources where outcome = 'requested'
    and sources.platform = incoming.platform collate "default"
    and sources.url = incoming.url collate "default"`.execute(trx)
}

/** Always inserts in the same order, so that concurrent imports of the same rows do not deadlock. */
async function tryInsert(trx: Trx, actor: Actor): Promise<number | undefined> {
  await sql`savepoint inserting`.execute(trx)
  try {
    const { numAffectedRows } = await sql`insert into sources (platform, url, country, created_by, updated_by)
      select distinct on (url, platform) platform, url, country, ${actor.id}::int, ${actor.id}::int
      from incoming where outcome = 'requested' order by url, platform, place`.execute(trx)
    return Number(numAffectedRows)
  } catch (error) {
    if (!isUniqueViolation(error, 'sources_by_url')) throw error
    await sql`rollback to savepoint inserting`.execute(trx)
    return undefined
  }
}
