import { createSourceJob } from '@watchdesk/contract/jobs'
import * as schemas from '@watchdesk/contract/jobs.schema'
import { TIMEOUT_MS } from '@watchdesk/contract/limits'
import type { SourceImportResult } from '@watchdesk/contract/source-import'
import { RESULT_COLUMNS } from '@watchdesk/contract/source-row'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import { readWith } from '../../adapters/tables/read-table.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Copy } from '../../db/copy.ts'
import { type Call, once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { type FileInput, JOB_MS, type JobKind } from '../../jobs/kind.ts'
import type { OperationKind } from '../operations/kind.ts'
import { beginOperation, endOperation, type NewOperation, saveRows } from '../operations/record.ts'
import { verified } from '../operations/verify.ts'
import { minute } from '../sources/export.ts'
import { sourcesUndo, storedSources } from '../sources/write-many.ts'
import type { CheckedPart, Summary } from './check-import.ts'
import { CHECK_IMPORT } from './spool.ts'
import { countStaged, countStored, markRepeated, type SourceRows, stageRows } from './stage.ts'
import { type Writing, writeSources } from './write-sources.ts'

type Given = Omit<NewOperation, 'kind'> & { existing_id?: number }

export const sourceImport: OperationKind = { undo: sourcesUndo, job: sourceImportJob, stored: storedSources }

export function sourceImportJob(deps: Pick<Deps, 'rights' | 'sheets' | 'verify'>): JobKind<FileInput> {
  const sources = sourceImportStore(deps)
  return {
    name: 'source_import',
    upload: { endpoint: { ...createSourceJob, schema: schemas.createSourceJob }, result: 'sources' },
    async run({ actor, input, withFile, progress, signal, save }) {
      const { name, kind } = input.file
      const reports = { total: input.rows_count ?? null, progress }
      const given = { name, existing_id: input.import_id }
      const imported = await withFile((path) => {
        const pieces = readWith<CheckedPart>(CHECK_IMPORT, { path, kind }, { signal, deadlineMs: JOB_MS })
        return save((trx, copy) => sources.importRows(trx, copy, actor, { pieces, check, reports }, given))
      })
      await verified(deps.verify, imported)
    },
  }
}

function check({ refusal }: Summary) {
  if (refusal) throw new SheetError(refusal.detail)
}

type Storing = Given & Pick<NewOperation, 'kind'> & Omit<Writing, 'import_id'>

export async function storeRows(trx: Trx, copy: Copy, actor: Actor, rows: SourceRows, storing: Storing) {
  const { existing_id, known, hasCountry, ...given } = storing
  const summary = await stageRows(trx, copy, rows)
  await markRepeated(trx)
  const import_id = await beginOperation(trx, actor, given, existing_id)
  await writeSources(trx, actor, { import_id, known, hasCountry })
  const sent = await countStored(trx, summary)
  return { import_id, sent, outcomes: await countStaged(trx), row_count: summary.rows }
}

export function sourceImportStore({ rights, sheets, verify }: Pick<Deps, 'rights' | 'sheets' | 'verify'>) {
  return { create, importRows }

  async function create(actor: Actor, rows: SourceRows, given: Given, call: Call): Promise<SourceImportResult> {
    const result = await rights.writeLong(actor, TIMEOUT_MS.sources, (trx, copy) =>
      once(trx, actor, call, () => importRows(trx, copy, actor, rows, given)),
    )
    return verified(verify, result)
  }

  async function importRows(trx: Trx, copy: Copy, actor: Actor, rows: SourceRows, given: Given) {
    const storing = { kind: 'source_import', known: 'mark', hasCountry: true, ...given } as const
    const stored = await storeRows(trx, copy, actor, rows, storing)
    const { import_id, sent, outcomes, row_count } = stored
    const sheet = await sheets.create(trx, actor, {
      title: `Source import of ${actor.name}, ${minute()}`,
      origin: 'source_import',
      header: RESULT_COLUMNS,
      row_count,
      rows: RESULT_ROWS,
      outcomes,
    })
    const created_sheet_url = sheet.url
    const rows_id = sheet.rows_id ?? (await saveRows(trx, RESULT_COLUMNS, outcomes, RESULT_ROWS))
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
