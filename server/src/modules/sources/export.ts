import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { SourceFilter } from '@watchdesk/contract/sources'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { Problem } from '../../problem.ts'
import type { OperationKind } from '../operations/kind.ts'
import { beginOperation, endOperation, type NewOperation } from '../operations/record.ts'
import { CELLS, FILE_COLUMNS, FROM } from './file.ts'
import { whereOf } from './filter.ts'

/** Writes the sources that match into a new sheet, newest first. */
export async function exportSources(
  { rights, sheets }: Pick<Deps, 'rights' | 'sheets'>,
  actor: Actor,
  filter: SourceFilter,
) {
  const made = rights.writeLong(actor, TIMEOUT_MS.sources, async (trx) => {
    const written = await writeExport(trx, sheets, actor, {
      title: filter.platform ? `${filter.platform} sources` : 'Sources',
      header: FILE_COLUMNS,
      rows: sql`select row_number() over (order by sources.id desc), ${CELLS} ${FROM} where ${whereOf(filter)}`,
      platform: filter.platform ?? null,
      details: { filter },
    })
    const { created_sheet_url, exported_count, import_id } = written
    const changes = changesBetween({}, { ...filter, exported_count, created_sheet_url })
    await audit(trx, actor, { action: 'export', entity: 'sources', entity_id: import_id, changes })
    return written
  })
  return made.catch((error) => {
    throw error instanceof SheetError ? new Problem(502, error.message) : error
  })
}

type Export = Pick<NewOperation, 'platform' | 'details'> & {
  title: string
  header: readonly string[]
  /** Selects the place and the cells of each row. */
  rows: RawBuilder<unknown>
}

/** Writes the rows into a new sheet, and records the export. */
export async function writeExport(
  trx: Trx,
  sheets: Deps['sheets'],
  actor: Actor,
  { title, header, rows, ...given }: Export,
) {
  const import_id = await beginOperation(trx, actor, { kind: 'export', ...given })
  // A temporary table, so that the number of rows is that of the sheet.
  await sql`create temp table exported (place bigint, cells text[]) on commit drop`.execute(trx)
  const { numAffectedRows } = await sql`insert into exported ${rows}`.execute(trx)
  const exported_count = Number(numAffectedRows ?? 0)
  const sheet = await sheets.create(trx, actor, {
    title: `${title}, ${minute()}`,
    origin: 'source_management',
    header,
    row_count: exported_count,
    rows: sql`select place, cells from exported`,
  })
  await endOperation(trx, import_id, {
    counts: { exported: exported_count },
    created_sheet_url: sheet.url,
    rows_id: sheet.rows_id ?? null,
  })
  return { created_sheet_url: sheet.url, exported_count, import_id }
}

/** This minute, as in the titles of sheets. */
export function minute() {
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export const sourcesExport: OperationKind = {
  undo: 'An export changes nothing, so there is nothing to undo.',
}
