import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import { type SourceFilter, sourceList } from '@watchdesk/contract/sources'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import { cellsOf, type FileColumn, fileReader, fileTime, headingsOf } from '../../db/list-file.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { Problem } from '../../problem.ts'
import type { OperationKind } from '../operations/kind.ts'
import { beginOperation, endOperation, type NewOperation } from '../operations/record.ts'
import { whereOf } from './filter.ts'

/** The first two can be imported again. An import without a file is named by its id. */
const COLUMNS: FileColumn[] = [
  [
    ['source_url', sql`sources.url`],
    ['source_country', sql`sources.country`],
    ['platform', sql`sources.platform`],
    ['added_at', fileTime(sql`sources.created_at`)],
    ['added_by', sql`users.full_name`],
    ['import', sql`coalesce(operations.name, 'Import ' || operations.id)`],
  ],
]

const FROM = sql`from sources left join users on users.id = sources.created_by
  left join operations on operations.id = sources.import_id`

export function sourcesFile(deps: Deps, actor: Actor, query: SourceFilter & { format: string }) {
  return fileReader(deps, actor, {
    table: 'sources',
    query,
    options: sourceList,
    where: whereOf(query),
    isShown: whereOf({}),
    from: FROM,
    columns: COLUMNS,
  })
}

export async function exportSources(deps: Deps, actor: Actor, filter: SourceFilter) {
  const { platform } = filter
  const written = writeExport(deps, actor, {
    title: platform ? `${platform} sources` : 'Sources',
    header: headingsOf(COLUMNS),
    rows: sql`select row_number() over (order by sources.id desc), ${cellsOf(COLUMNS)} ${FROM} where ${whereOf(filter)}`,
    operation: { platform: platform ?? null, details: { filter } },
    asked: filter,
  })
  return written.catch((error) => {
    throw error instanceof SheetError ? new Problem(502, error.message) : error
  })
}

type Export = {
  title: string
  header: readonly string[]
  rows: RawBuilder<unknown>
  operation: Pick<NewOperation, 'platform' | 'details'>
  asked: object
}

export function writeExport(
  { rights, sheets }: Deps,
  actor: Actor,
  { title, header, rows, operation, asked }: Export,
  use = async (_trx: Trx, _url: string) => {},
) {
  return rights.writeLong(actor, TIMEOUT_MS.sources, async (trx) => {
    const import_id = await beginOperation(trx, actor, { kind: 'export', ...operation })
    // A temporary table, so that the number of rows is that of the sheet.
    await sql`create temp table exported (place bigint, cells text[]) on commit drop`.execute(trx)
    const { numAffectedRows } = await sql`insert into exported ${rows}`.execute(trx)
    const exported_count = Number(numAffectedRows ?? 0)
    const { url: created_sheet_url, rows_id } = await sheets.create(trx, actor, {
      title: `${title}, ${minute()}`,
      origin: 'source_management',
      header,
      row_count: exported_count,
      rows: sql`select place, cells from exported`,
    })
    await endOperation(trx, import_id, { counts: { exported: exported_count }, created_sheet_url, rows_id })
    await use(trx, created_sheet_url)
    const changes = changesBetween({}, { ...asked, exported_count, created_sheet_url })
    await audit(trx, actor, { action: 'export', entity: 'sources', entity_id: import_id, changes })
    return { created_sheet_url, exported_count, import_id }
  })
}

export function minute() {
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

export const sourcesExport: OperationKind = {
  undo: 'An export changes nothing, so there is nothing to undo.',
}
