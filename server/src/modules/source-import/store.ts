import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import {
  type CheckedRow,
  countOutcomes,
  RESULT_COLUMNS,
  type Source,
  type SourceOutcome,
} from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Sheets } from '../../adapters/sheets/sheets.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { type Call, once } from '../../db/idempotency.ts'
import { asTable } from '../../db/lines.ts'
import type { Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'

type ImportedRow = Omit<CheckedRow, 'outcome'> & { outcome: SourceOutcome }

export function sourceImportStore(rights: Rights, sheets: Sheets) {
  return { create }

  /** The sources, the sheet that tells what became of every row, and the audit event: all of them or none. */
  function create(actor: Actor, checked: CheckedRow[], call: Call): Promise<SourceImportResult> {
    return rights.writeLong(actor, TIMEOUT_MS.sources, async (trx) => {
      return once(trx, actor, call, async () => {
        const rows = await insertSources(trx, actor, checked)
        const outcomes = countOutcomes(rows)
        const sheet = await sheets.create(trx, actor, {
          title: `Source import of ${actor.name}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
          header: RESULT_COLUMNS,
          rows: rows.map(resultOf),
          outcomeColumn: 'outcome' satisfies (typeof RESULT_COLUMNS)[number],
        })
        const changes = changesBetween({}, { inputs_count: rows.length, ...outcomes, created_sheet_url: sheet.url })
        await audit(trx, actor, { action: 'import', entity: 'sources', entity_id: null, changes })
        return {
          error_message: null,
          requested_count: outcomes.requested ?? 0,
          inputs_count: rows.length,
          created_sheet_url: sheet.url,
          outcomes,
        }
      })
    })
  }
}

function resultOf({ row, written, source, outcome }: ImportedRow) {
  return [String(row), written.url, written.country, source?.platform ?? '', outcome]
}

/** Inserts what is new. Everybody inserts in the same order, so that two imports of the same rows wait but never lock up. */
async function insertSources(trx: Trx, actor: Actor, checked: CheckedRow[]): Promise<ImportedRow[]> {
  const wanted = checked.filter(isWanted)
  const { rows: known } = await sql<{ place: number }>`
    with input as materialized (${inputOf(wanted.map(({ source }) => source))}), inserted as (
      insert into sources (platform, url, country, created_by, updated_by)
      select platform, url, country, ${actor.id}::int, ${actor.id}::int from input order by platform, url
      on conflict (platform, url) do nothing
      returning platform, url
    )
    select place from input where not exists (
      select from inserted where inserted.platform = input.platform and inserted.url = input.url)`.execute(trx)
  const monitored = new Set(known.map(({ place }) => wanted[place - 1]?.row))
  return checked.map((each) =>
    each.outcome === 'requested' && monitored.has(each.row) ? { ...each, outcome: 'already monitored' } : each,
  )
}

export function isWanted(row: CheckedRow): row is CheckedRow & { source: Source } {
  return row.outcome === 'requested' && row.source !== null
}

/** Sources as rows of SQL, each with its place from 1. */
export function inputOf(sources: Source[]) {
  const rows = sources.map(({ platform, url, country }) => [platform, url, country ?? ''])
  return sql`select cells[1] as platform, cells[2] as url, nullif(cells[3], '') as country, place from ${asTable(rows)}`
}
