import { keysOf } from '@watchdesk/contract/list'
import { importStories, type StoriesImportResult, type StoryCounts } from '@watchdesk/contract/stories-import'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Copy } from '../../db/copy.ts'
import { once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Deps } from '../../deps.ts'
import type { Upload } from '../../plugins/upload.ts'
import { Problem } from '../../problem.ts'
import { number } from '../operations/changes/kind.ts'
import { beginOperation, endOperation, recordFailure, saveRows } from '../operations/record.ts'
import { verified } from '../operations/verify.ts'
import { countStaged, markRepeated } from '../source-import/stage.ts'
import { countStored, InvalidRows, type Reading, type StoriesFile, stageFile } from './stage.ts'

const SOME_INVALID = 'Some rows are not valid, so nothing was imported.'
/** Less than the five minutes that a caller waits. */
const MAX_MS = 280_000

const RESULT_COLUMNS = ['row', 'narrative_id', 'message_composite_id', 'story', 'outcome']
const KEPT_CHARACTERS = 200

type Options = { deleteExisting: boolean; existing_id?: number; reading?: Reading }
type StoreDeps = Pick<Deps, 'db' | 'rights' | 'verify'>
type Summary = StoriesImportResult['summaries'][number]

export function storiesImportStore({ db, rights, verify }: StoreDeps) {
  return { create, count, importFile }

  async function count(ids: number[]): Promise<StoryCounts> {
    const counts = sql<StoryCounts['counts'][number]>`select narrative_id, (select count(*) from stories
        where stories.narrative_id = wanted.narrative_id and deleted_at is null) as stories_count
      from unnest(${ids}::int[]) with ordinality as wanted (narrative_id, place) order by place`
    return { counts: await rowsOf(db, counts) }
  }

  async function create(
    actor: Actor,
    file: StoriesFile & Pick<Upload, 'sha256'>,
    deleteExisting: boolean,
    key?: string,
  ) {
    const call = {
      name: `${importStories.method} ${importStories.url}`,
      key,
      request: Buffer.concat([file.sha256, Buffer.from(String(deleteExisting))]),
    }
    try {
      const result = await rights.writeLong(actor, MAX_MS, (trx, copy) =>
        once(trx, actor, call, () => importFile(trx, copy, actor, file, { deleteExisting })),
      )
      return await verified(verify, result)
    } catch (error) {
      const { name, bytes } = file
      const failed = { kind: 'stories_import', name, bytes } as const
      if (error instanceof InvalidRows)
        await recordFailure(rights, actor, { ...failed, error: SOME_INVALID, rows: error.kept })
      else if (error instanceof Problem && Array.isArray(error.detail))
        await recordFailure(rights, actor, { ...failed, error: error.message })
      throw error
    }
  }

  async function importFile(trx: Trx, copy: Copy, actor: Actor, file: StoriesFile, options: Options) {
    const { deleteExisting, existing_id, reading = { deadlineMs: MAX_MS } } = options
    const staged = await stageFile(trx, copy, file, reading)
    const { name, bytes } = file
    const details = { delete_existing_stories: deleteExisting }
    const import_id = await beginOperation(trx, actor, { kind: 'stories_import', name, bytes, details }, existing_id)
    const summaries = await merge(trx, actor, import_id, deleteExisting)
    const counts = await saveRowOutcomes(trx, import_id, summaries)
    const sent = await countStored(trx, staged)
    const rows_id = await saveRows(trx, RESULT_COLUMNS, counts, RESULT_ROWS)
    const totals = totalsOf(summaries)
    await endOperation(trx, import_id, { counts, rows_id, details: { ...details, ...summaryOf(totals), sent } })
    const narrative_ids = summaries.slice(0, 100).map(({ narrative_id }) => narrative_id)
    const changes = changesBetween({}, { file: name, narrative_ids, narratives_count: summaries.length, ...totals })
    await audit(trx, actor, { action: 'import', entity: 'stories', entity_id: import_id, record: { name }, changes })
    return { summaries, import_id }
  }
}

const RESULT_ROWS = sql`select row_number() over (order by place) as place, array[place::text, narrative_id::text,
  message_composite_id, left(story, ${sql.lit(KEPT_CHARACTERS)}), outcome] as cells from incoming`

/** What the rows of the import do not say: how many stories it deleted. */
function summaryOf({ imported_stories_count: imported, deleted_stories_count: deleted_count }: Totals) {
  if (deleted_count === 0) return {}
  const deleted = number(deleted_count, 'story', 'stories')
  const summary = `Imported ${number(imported, 'story', 'stories')} and deleted ${deleted} that existed before`
  return { summary, deleted_count }
}

type Totals = ReturnType<typeof totalsOf>

function totalsOf(summaries: Summary[]) {
  const totals = { imported_stories_count: 0, repeated_stories_count: 0, deleted_stories_count: 0 }
  for (const summary of summaries) for (const name of keysOf(totals)) totals[name] += summary[name]
  return totals
}

async function merge(trx: Trx, actor: Actor, import_id: number, deleteExisting: boolean): Promise<Summary[]> {
  const { rows: counted } = await sql<{ narrative_id: number; count: number }>`
    select narrative_id, count(*) as count from incoming group by narrative_id order by narrative_id`.execute(trx)
  const ids = counted.map(({ narrative_id }) => narrative_id)
  // In id order, so that concurrent imports of the same narratives do not deadlock.
  await sql`insert into narratives (id, created_by, import_id)
    select id, ${actor.id}, ${import_id} from unnest(${ids}::integer[]) as id
    order by id on conflict (id) do update set deleted_at = null where narratives.deleted_at is not null`.execute(trx)
  await sql`select id from narratives where id = any(${ids}) order by id for no key update`.execute(trx)

  const removal = sql`update stories set deleted_at = now(), deleted_by = ${import_id}, digest = gen_random_uuid()
    where narrative_id = any(${ids}) and deleted_at is null`
  const deleted = deleteExisting ? await countBy(trx, removal) : null
  const imported = await countBy(
    trx,
    sql`insert into stories
        (narrative_id, message_composite_id, story, sentiment_score, platform, content_type, digest, import_id)
      select narrative_id, message_composite_id, story, sentiment_score, platform, content_type, digest, ${import_id}::int
      from incoming order by place on conflict (narrative_id, digest) do nothing`,
  )
  return counted.map(({ narrative_id, count }) => {
    const imported_stories_count = imported.get(narrative_id) ?? 0
    return {
      narrative_id,
      imported_stories_count,
      repeated_stories_count: count - imported_stories_count,
      deleted_stories_count: deleted?.get(narrative_id) ?? 0,
    }
  })
}

async function saveRowOutcomes(trx: Trx, import_id: number, summaries: Summary[]) {
  if (summaries.some(({ repeated_stories_count }) => repeated_stories_count > 0)) {
    await sql`update incoming set outcome = 'already there' from stories
      where stories.narrative_id = incoming.narrative_id and stories.digest = incoming.digest
        and stories.import_id is distinct from ${import_id}`.execute(trx)
    await markRepeated(trx, sql`narrative_id, digest`)
  }
  return countStaged(trx)
}

async function countBy(trx: Trx, statement: ReturnType<typeof sql>) {
  const { rows } = await sql<{ narrative_id: number; count: number }>`
    with changed as (${statement} returning narrative_id)
    select narrative_id, count(*) as count from changed group by narrative_id`.execute(trx)
  return new Map(rows.map(({ narrative_id, count }) => [narrative_id, count]))
}
