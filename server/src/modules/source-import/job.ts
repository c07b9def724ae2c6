import { SheetError } from '../../adapters/sheets/sheets.ts'
import { readWith } from '../../adapters/tables/read-table.ts'
import type { Deps } from '../../deps.ts'
import { type FileInput, JOB_MS, type JobContext, type JobFiles, type JobKind } from '../../jobs/kind.ts'
import { countRows } from '../imports/count-rows.ts'
import type { SourceFile, SourceFilePart } from './source-file.ts'
import { checkFile } from './spool.ts'
import { sourceImportStore } from './store.ts'

/** Imports a file in the background, with the same result as the call with its records. */
export function sourceImportJob(deps: Pick<Deps, 'rights' | 'sheets' | 'verify'>): JobKind<FileInput> {
  const sources = sourceImportStore(deps)
  return {
    name: 'source_import',
    run: (context) =>
      context.withFile(async (file) => {
        const { actor, input, progress, signal, save } = context
        const total = await spool(context, file)
        const pieces = countRows(checkFile({ path: file.temporary, kind: 'rows' }, signal), {
          // Each row was read before, and is now checked.
          onRows: (rows) => progress({ step: 'checking', done: Math.floor((total + rows) / 2), total }),
          onEnd: () => progress({ step: 'storing', done: 0, total }),
        })
        const given = { name: input.file.name, existing_id: input.import_id }
        const rows = { pieces, check: () => {} }
        await sources.verified(await save((trx, copy) => sources.importRows(trx, copy, actor, rows, given)))
      }),
  }
}

/** Returns the number of rows. */
async function spool({ input, progress, signal }: JobContext<FileInput>, file: JobFiles) {
  const source: SourceFile = { path: file.path, kind: input.file.kind, rows: file.temporary }
  const options = { signal, deadlineMs: JOB_MS }
  const total = input.rows_count ?? null
  let rows = 0
  for await (const part of readWith<SourceFilePart>('modules/source-import/source-file', source, options)) {
    if ('refusal' in part) throw new SheetError(part.refusal)
    rows = part.rows
    progress({ step: 'checking', done: Math.floor(rows / 2), total })
  }
  return rows
}
