import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { RESULT_COLUMNS } from '@watchdesk/contract/source-row'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { newRows } from '../../adapters/sheets/new-rows.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Copy } from '../../db/copy.ts'
import { type Call, once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { beginOperation, endOperation, type NewOperation } from '../operations/record.ts'
import { keepRows } from '../operations/rows.ts'
import { verified } from '../operations/verify.ts'
import { minute } from '../sources/export.ts'
import type { CheckedPart, Summary } from './check-import.ts'
import { countStaged, countStored, markRepeated, type Reports, stageRows } from './stage.ts'
import { type Writing, writeSources } from './write-sources.ts'

export type SourceRows = {
  pieces: AsyncIterable<CheckedPart>
  /** Called after the whole input was read. Throws if it is invalid. */
  check?(summary: Summary): void
  reports?: Reports
}

/** The import that a job has created before. */
type Given = Omit<NewOperation, 'kind'> & { existing_id?: number }

/** Stores the sources of checked rows, as a new import or one that a job has created before. */
export async function storeRows(
  trx: Trx,
  copy: Copy,
  actor: Actor,
  { pieces, check, reports }: SourceRows,
  { existing_id, ...given }: NewOperation & { existing_id?: number },
  options: Pick<Writing, 'known' | 'hasCountry'>,
) {
  const summary = await stageRows(trx, copy, pieces, reports)
  check?.(summary)
  await markRepeated(trx)
  const import_id = await beginOperation(trx, actor, given, existing_id)
  await writeSources(trx, actor, { import_id, ...options })
  const sent = await countStored(trx, summary)
  return { import_id, sent, outcomes: await countStaged(trx), row_count: summary.rows }
}

export function sourceImportStore({ rights, sheets, verify }: Pick<Deps, 'rights' | 'sheets' | 'verify'>) {
  return { create, importRows }

  /** Imports in the transaction of a call, and proves afterwards what is stored. */
  async function create(actor: Actor, rows: SourceRows, given: Given, call: Call): Promise<SourceImportResult> {
    const result = await rights.writeCopying(actor, TIMEOUT_MS.sources, (trx, copy) =>
      once(trx, actor, call, () => importRows(trx, copy, actor, rows, given)),
    )
    return verified(verify, result)
  }

  /** Saves the sources, the sheet and the import with the outcome of every row, and the audit event. */
  async function importRows(
    trx: Trx,
    copy: Copy,
    actor: Actor,
    rows: SourceRows,
    given: Given,
  ): Promise<SourceImportResult> {
    const operation = { kind: 'source_import', ...given } as const
    const stored = await storeRows(trx, copy, actor, rows, operation, { known: 'mark', hasCountry: true })
    const { import_id, sent, outcomes, row_count } = stored
    const content = {
      header: RESULT_COLUMNS,
      row_count,
      rows: newRows(trx, RESULT_ROWS),
      outcomes: { column: 'outcome' satisfies (typeof RESULT_COLUMNS)[number], counts: outcomes },
    }
    const title = `Source import of ${actor.name}, ${minute()}`
    const sheet = await sheets.create(trx, actor, { ...content, title, origin: 'source_import' })
    const created_sheet_url = sheet.url
    const rows_id = sheet.rows_id ?? (await keepRows(trx, content))
    await endOperation(trx, import_id, { counts: outcomes, rows_id, created_sheet_url, details: { sent } })
    const changes = changesBetween({}, { inputs_count: row_count, ...outcomes, created_sheet_url })
    const event = { action: 'import', entity: 'sources', entity_id: import_id, changes } as const
    await audit(trx, actor, given.name ? { ...event, record: { name: given.name } } : event)
    const requested_count = outcomes.requested ?? 0
    return { error_message: null, requested_count, inputs_count: row_count, created_sheet_url, outcomes, import_id }
  }
}

const RESULT_ROWS = sql`select place,
  array[number::text, written_url, written_country, coalesce(platform, ''), outcome] as cells from incoming`
