import type { Deps } from '../../deps.ts'
import { JOB_MS, type JobKind } from '../../jobs/kind.ts'
import { storiesImportStore } from './store.ts'

/** Imports a file in the background, with the same result as the call. */
export function storiesImportJob(deps: Pick<Deps, 'db' | 'rights' | 'verify'>): JobKind<'stories_import'> {
  const stories = storiesImportStore(deps)
  return async ({ actor, input, withFile, progress, signal, save }) => {
    const { name, kind, bytes } = input.file
    const total = input.rows_count ?? null
    const options = {
      deleteExisting: input.delete_existing_stories,
      existing_id: input.import_id,
      reading: {
        signal,
        deadlineMs: JOB_MS,
        onRows: (rows: number) => progress({ step: 'checking', done: rows, total }),
        onEnd: () => progress({ step: 'storing', done: 0, total }),
      },
    }
    const imported = await withFile(({ path }) =>
      save((trx, copy) => stories.importFile(trx, copy, actor, { path, name, kind, bytes }, options)),
    )
    await stories.verified(imported)
  }
}
