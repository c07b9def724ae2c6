import { createStoriesJob } from '@watchdesk/contract/jobs'
import * as schemas from '@watchdesk/contract/jobs.schema'
import { sql } from 'kysely'
import { storyChecksumIn } from '../../db/checksum.ts'
import type { SystemDb } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { type FileInput, JOB_MS, type JobKind } from '../../jobs/kind.ts'
import type { OperationKind } from '../operations/kind.ts'
import { saveFewRows } from '../operations/record.ts'
import { verified } from '../operations/verify.ts'
import { InvalidRows } from './stage.ts'
import { storiesImportStore } from './store.ts'
import { storiesUndo } from './undo.ts'

type StoriesInput = FileInput & { delete_existing_stories: boolean }

export const storiesImport: OperationKind = {
  undo: storiesUndo,
  job: storiesImportJob,
  stored: (id) =>
    sql`select ${storyChecksumIn()} as checksum, false as is_changed from stories where import_id = ${id}`,
}

function storiesImportJob(deps: Pick<Deps, 'rights' | 'verify'> & { db: SystemDb }): JobKind<StoriesInput> {
  const stories = storiesImportStore(deps)
  return {
    name: 'stories_import',
    upload: {
      endpoint: { ...createStoriesJob, schema: schemas.createStoriesJob },
      inputOf: ({ delete_existing_stories }) => ({ delete_existing_stories: delete_existing_stories === 'true' }),
      result: 'stories',
    },
    async run({ actor, input, withFile, progress, signal, save }) {
      const { name, kind, bytes } = input.file
      const reports = { total: input.rows_count ?? null, progress }
      const options = {
        deleteExisting: input.delete_existing_stories,
        existing_id: input.import_id,
        reading: { signal, deadlineMs: JOB_MS, reports },
      }
      const imported = await withFile((path) =>
        save((trx, copy) => stories.importFile(trx, copy, actor, { path, name, kind, bytes }, options)),
      ).catch(async (error) => {
        if (error instanceof InvalidRows) await saveInvalidRows(deps.db, input.import_id, error)
        throw error
      })
      await verified(deps.verify, imported)
    },
  }
}

/** The rows that a file was refused for, so that they can be downloaded and corrected. */
function saveInvalidRows(db: SystemDb, import_id: number, { kept }: InvalidRows) {
  return db.transaction().execute(async (trx) => {
    const rows_id = await saveFewRows(trx, kept)
    const counts = JSON.stringify(kept.counts)
    await trx.updateTable('operations').set({ rows_id, counts }).where('id', '=', import_id).execute()
  })
}
