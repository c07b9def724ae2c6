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
import { minute } from '../sources/export.ts'
import type { CheckedPart, Summary } from './check-import.ts'
import { countStaged, countStored, markRepeated, type Reports, stageRows } from './stage.ts'
import { writeSources } from './write-sources.ts'

export type SourceRows = {
  pieces: AsyncIterable<CheckedPart>
  /** Called after the whole input was read. Throws if it is invalid. */
  check(summary: Summary): void
  /** Of the progress. */
  reports?: Reports
}

/** The import that a job has created before. */
type Given = Omit<NewOperation, 'kind'> & { existing_id?: number }

export function sourceImportStore({ rights, sheets, verify }: Pick<Deps, 'rights' | 'sheets' | 'verify'>) {
  return { create, importRows, verified }

  /** Imports in the transaction of a call, and proves afterwards what is stored. */
  async function create(actor: Actor, rows: SourceRows, given: Given, call: Call): Promise<SourceImportResult> {
    const result = await rights.writeLong(actor, TIMEOUT_MS.sources, (trx, copy) =>
      once(trx, actor, call, () => importRows(trx, copy, actor, rows, given)),
    )
    return verified(result)
  }

  /** The result with the proof of what is stored. */
  async function verified(result: SourceImportResult): Promise<SourceImportResult> {
    return result.import_id === undefined ? result : { ...result, verification: await verify(result.import_id) }
  }

  /** Saves the sources, the sheet and the import with the outcome of every row, and the audit event. */
  async function importRows(
    trx: Trx,
    copy: Copy,
    actor: Actor,
    { pieces, check, reports }: SourceRows,
    given: Given,
  ): Promise<SourceImportResult> {
    const { existing_id, ...known } = given
    const summary = await stageRows(trx, copy, pieces, reports)
    check(summary)
    const import_id = await beginOperation(trx, actor, { kind: 'source_import', ...known }, existing_id)
    const { added } = await writeSources(trx, actor, { import_id, known: 'mark', hasCountry: true })
    if (added < summary.valid) await markRepeated(trx)
    const sent = await countStored(trx, summary, ['requested'])
    const outcomes = await countStaged(trx)
    const inputs_count = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
    const content = {
      header: RESULT_COLUMNS,
      row_count: inputs_count,
      rows: newRows(trx, RESULT_ROWS),
      outcomes: { column: 'outcome' satisfies (typeof RESULT_COLUMNS)[number], counts: outcomes },
    }
    const sheet = await sheets.create(trx, actor, {
      ...content,
      title: `Source import of ${actor.name}, ${minute()}`,
      origin: 'source_import',
    })
    const rows_id = sheet.rows_id ?? (await keepRows(trx, content))
    await endOperation(trx, import_id, { counts: outcomes, rows_id, created_sheet_url: sheet.url, details: { sent } })
    const changes = changesBetween({}, { inputs_count, ...outcomes, created_sheet_url: sheet.url })
    const record = known.name ? { name: known.name } : undefined
    await audit(trx, actor, {
      action: 'import',
      entity: 'sources',
      entity_id: import_id,
      ...(record && { record }),
      changes,
    })
    const requested_count = outcomes.requested ?? 0
    const created_sheet_url = sheet.url
    return { error_message: null, requested_count, inputs_count, created_sheet_url, outcomes, import_id }
  }
}

const RESULT_ROWS = sql`select place,
  array[number::text, written_url, written_country, coalesce(platform, ''), outcome] as cells from incoming`
