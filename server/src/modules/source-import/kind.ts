import { createSourceJob } from '@watchdesk/contract/jobs'
import * as schemas from '@watchdesk/contract/jobs.schema'
import { SheetError } from '../../adapters/sheets/sheets.ts'
import { readWith } from '../../adapters/tables/read-table.ts'
import type { Deps } from '../../deps.ts'
import { type FileInput, JOB_MS, type JobKind } from '../../jobs/kind.ts'
import type { OperationKind } from '../operations/kind.ts'
import { verified } from '../operations/verify.ts'
import { sourcesUndo } from '../sources/undo.ts'
import { storedSources } from '../sources/write-many.ts'
import type { CheckedPart, Summary } from './check-import.ts'
import { CHECK_IMPORT } from './spool.ts'
import { sourceImportStore } from './store.ts'

export const sourceImport: OperationKind = {
  undo: sourcesUndo,
  job: sourceImportJob,
  stored: storedSources,
}

/** Imports a file in the background, with the same result as the call with its records. */
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
