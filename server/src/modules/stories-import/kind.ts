import { createStoriesJob } from '@watchdesk/contract/jobs'
import * as schemas from '@watchdesk/contract/jobs.schema'
import { type RawBuilder, sql } from 'kysely'
import { DIGEST, storyChecksumIn } from '../../db/checksum.ts'
import type { Db, SystemDb, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { type FileInput, JOB_MS, type JobKind } from '../../jobs/kind.ts'
import type { Chain, JobParts, OperationKind, OperationRow } from '../operations/kind.ts'
import { saveFewRows } from '../operations/record.ts'
import { recordsUndo } from '../operations/undo-records.ts'
import { verified } from '../operations/verify.ts'
import { InvalidRows } from './stage.ts'
import { storiesImportStore } from './store.ts'

type StoriesInput = FileInput & { delete_existing_stories: boolean }

const IS_ADDED = sql`changes.after @> '{"is_live": true}'`

/** An import has added the stories with its id and removed those that name it; only what an undo restores is kept. */
const storiesUndo = recordsUndo({
  entity: 'stories',
  table: 'stories',
  implied: ({ id }) => sql`select id, null, '{"is_live": true}' from stories where import_id = ${id}
    union all select id, '{"is_live": true}', '{"is_live": false}' from stories
    where deleted_by = ${id} and deleted_at is not null`,
  // Those that changed since are gone for the undo.
  isUnchanged: sql`true`,
  /** A story can return if no other one has its text by then. */
  isPossible: (target) => sql`${IS_ADDED} = (stories.deleted_at is null) and (${IS_ADDED} or not exists (
    select from stories as other where other.narrative_id = stories.narrative_id and other.digest = ${DIGEST}
      and not ${isAddedBy(target, sql`other`)}))`,
  effect: sql`case when ${IS_ADDED} then 'stories_removed' else 'stories_restored' end`,
  lock: sql``,
  previewMore,
  /** Narratives are locked in the order of their ids, like by an import. */
  async prepare(trx, changes) {
    await sql`select id from narratives where id in (
        select (select narrative_id from stories where stories.id = changes.id) from (${changes}) as changes)
      order by id for no key update`.execute(trx)
  },
  write,
})

export const storiesImport: OperationKind = {
  undo: storiesUndo,
  job: storiesImportJob,
  stored: (id) =>
    sql`select ${storyChecksumIn()} as checksum, false as is_changed from stories where import_id = ${id}`,
}

function storiesImportJob(deps: JobParts): JobKind<StoriesInput> {
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

/** Whether the undo removes the story, if it is live. By an index, because there may be a million of both. */
function isAddedBy({ id }: OperationRow, story: RawBuilder<unknown>) {
  return sql`(${story}.import_id is not distinct from ${id} or exists (select from operation_changes
    where operation_id = ${id} and record_id = ${story}.id))`
}

function isEmptied(first: OperationRow) {
  return sql`narratives.import_id = ${first.id} and narratives.deleted_at is null
    and not exists (select from vectorization_runs where narrative_id = narratives.id)`
}

async function previewMore(db: Db, { target, first }: Chain) {
  const query = sql<{ narratives: number; deleted: number }>`select
    (select count(*) from narratives where ${isEmptied(first)} and not exists (
      select from stories where narrative_id = narratives.id
        and (deleted_by = ${target.id} or deleted_at is null and not ${isAddedBy(target, sql`stories`)}))) as narratives,
    (select count(*) from stories where deleted_by = ${target.id} and deleted_at is not null) as deleted`
  const { narratives = 0, deleted = 0 } = (await rowsOf(db, query))[0] ?? {}
  return { effects: { narratives_removed: narratives }, gone: Math.max(0, countDeleted(target) - deleted) }
}

/** Deleted stories are kept for a while only. Earlier releases did not record how many an import had deleted. */
function countDeleted({ kind, details, counts }: OperationRow) {
  return Number((kind === 'undo' ? counts['stories removed'] : details.deleted_count) ?? 0)
}

async function write(trx: Trx, _actor: unknown, { first }: Chain, import_id: number) {
  // Before others are restored, because the same text may be among both.
  await sql`update stories set deleted_at = now(), deleted_by = ${import_id}, digest = gen_random_uuid()
    from undoing where undoing.id = stories.id and effect = 'stories_removed'`.execute(trx)
  await sql`with restored as (
      update stories set deleted_at = null, deleted_by = null, digest = ${DIGEST}
      from undoing where undoing.id = stories.id and effect = 'stories_restored' returning stories.id
    ) insert into operation_changes (operation_id, entity, record_id, before, after)
    select ${import_id}::int, 'stories', id, '{"is_live": false}', '{"is_live": true}' from restored`.execute(trx)
  const { numAffectedRows } = await sql`update narratives set deleted_at = now() where ${isEmptied(first)}
    and not exists (select from stories where narrative_id = narratives.id and stories.deleted_at is null)`.execute(trx)
  await sql`update narratives set deleted_at = null where deleted_at is not null and id in (
    select narrative_id from stories join undoing on undoing.id = stories.id
    where stories.deleted_at is null)`.execute(trx)
  return { narratives_removed: Number(numAffectedRows ?? 0) }
}
