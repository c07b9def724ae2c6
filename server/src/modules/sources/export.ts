import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { SourceFilter } from '@watchdesk/contract/sources'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { newRows } from '../../adapters/sheets/new-rows.ts'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Deps } from '../../deps.ts'
import { Problem } from '../../problem.ts'
import { beginImport, endImport } from '../imports/record.ts'
import { CELLS, FILE_COLUMNS, FROM } from './file.ts'
import { whereOf } from './filter.ts'

/** Writes the sources that match into a new sheet, newest first. */
export async function exportSources(
  { rights, sheets }: Pick<Deps, 'rights' | 'sheets'>,
  actor: Actor,
  filter: SourceFilter,
) {
  const made = rights.writeLong(actor, TIMEOUT_MS.sources, async (trx) => {
    const import_id = await beginImport(trx, actor, {
      kind: 'export',
      platform: filter.platform ?? null,
      details: { filter },
    })
    // A temporary table, so that the number of rows is that of the sheet.
    await sql`create temp table exported (place bigint, cells text[]) on commit drop`.execute(trx)
    const { numAffectedRows } = await sql`insert into exported
      select row_number() over (order by sources.id desc), ${CELLS} ${FROM} where ${whereOf(filter)}`.execute(trx)
    const exported_count = Number(numAffectedRows ?? 0)
    const sheet = await sheets.create(trx, actor, {
      title: `${filter.platform ? `${filter.platform} sources` : 'Sources'}, ${minute()} UTC`,
      origin: 'source_management',
      header: FILE_COLUMNS,
      row_count: exported_count,
      rows: newRows(trx, sql`select place, cells from exported`),
    })
    await endImport(trx, import_id, {
      counts: { exported: exported_count },
      created_sheet_url: sheet.url,
      rows_id: sheet.rows_id ?? null,
    })
    const changes = changesBetween({}, { ...filter, exported_count, created_sheet_url: sheet.url })
    await audit(trx, actor, { action: 'export', entity: 'sources', entity_id: import_id, changes })
    return { created_sheet_url: sheet.url, exported_count, import_id }
  })
  return made.catch((error) => {
    throw error instanceof SheetError ? new Problem(502, error.message) : error
  })
}

function minute() {
  return new Date().toISOString().slice(0, 16).replace('T', ' ')
}
