import { importStories, type StoriesImportResult, type StoryCounts } from '@watchdesk/contract/stories-import'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { newRows } from '../../adapters/sheets/new-rows.ts'
import { audit, changesBetween } from '../../db/audit.ts'
import type { Copy } from '../../db/copy.ts'
import { once } from '../../db/idempotency.ts'
import type { Trx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import type { Upload } from '../../plugins/upload.ts'
import { Problem } from '../../problem.ts'
import { number } from '../operations/changes/kind.ts'
import { beginOperation, endOperation, recordFailure } from '../operations/record.ts'
import { keepRows } from '../operations/rows.ts'
import { countStaged, markRepeated } from '../source-import/stage.ts'
import { countStored, InvalidRows, type Reading, stageFile } from './stage.ts'

/** Less than the five minutes that a caller waits. */
const MAX_MS = 280_000

/** The columns of the rows that an import keeps. */
const RESULT_COLUMNS = ['row', 'narrative_id', 'message_composite_id', 'story', 'outcome']
/** Long stories are cut in the rows of an import. */
const KEPT_CHARACTERS = 200

type File = Pick<Upload, 'path' | 'name' | 'kind' | 'sha256' | 'bytes'>
/** A job has created its import before, and reports its progress. */
type Options = { deleteExisting: boolean; existing_id?: number; reading?: Reading }
type Parts = Pick<Deps, 'db' | 'rights' | 'verify'>
type Summary = StoriesImportResult['summaries'][number]

export function storiesImportStore({ db, rights, verify }: Parts) {
  return { create, count, importFile, verified }

  /** Narratives that do not exist yet have no stories. */
  async function count(ids: number[]): Promise<StoryCounts> {
    if (ids.length === 0) return { counts: [] }
    const rows = await db
      .selectFrom('stories')
      .select(({ fn }) => ['narrative_id', fn.countAll<number>().as('stories_count')])
      .where(sql<boolean>`narrative_id = any(${ids}::int[])`)
      .where('deleted_at', 'is', null)
      .groupBy('narrative_id')
      .execute()
    const counts = new Map(rows.map(({ narrative_id, stories_count }) => [narrative_id, stories_count]))
    return { counts: ids.map((narrative_id) => ({ narrative_id, stories_count: counts.get(narrative_id) ?? 0 })) }
  }

  /** Imports the whole file or nothing, in the transaction of a call. */
  async function create(actor: Actor, file: File, deleteExisting: boolean, key?: string) {
    const call = {
      name: `${importStories.method} ${importStories.url}`,
      key,
      request: Buffer.concat([file.sha256, Buffer.from(String(deleteExisting))]),
    }
    const options = { deleteExisting }
    const imported = rights.writeLong(actor, MAX_MS, (trx, copy) =>
      once(trx, actor, call, () => importFile(trx, copy, actor, file, options)),
    )
    return imported.then(verified, async (error) => {
      if (error instanceof Problem && Array.isArray(error.detail)) await recordRefusal(actor, file, error)
      throw error
    })
  }

  async function recordRefusal(actor: Actor, { name, bytes }: File, error: Problem) {
    const message = error instanceof InvalidRows ? 'Some rows are not valid, so nothing was imported.' : error.message
    const rows = error instanceof InvalidRows ? error.kept : undefined
    await recordFailure(rights, actor, { kind: 'stories_import', name, bytes, error: message, rows })
  }

  /** The result with the proof of what is stored. */
  async function verified(result: StoriesImportResult): Promise<StoriesImportResult> {
    return result.import_id === undefined ? result : { ...result, verification: await verify(result.import_id) }
  }

  async function importFile(
    trx: Trx,
    copy: Copy,
    actor: Actor,
    file: Omit<File, 'sha256'>,
    { deleteExisting, existing_id, reading = { deadlineMs: MAX_MS } }: Options,
  ): Promise<StoriesImportResult> {
    const staged = await stageFile(copy, trx, file, reading)
    const { name, bytes } = file
    const details = { delete_existing_stories: deleteExisting }
    const import_id = await beginOperation(trx, actor, { kind: 'stories_import', name, bytes, details }, existing_id)
    const summaries = await merge(trx, actor, import_id, deleteExisting)
    const counts = await judgeRows(trx, import_id, summaries)
    const sent = await countStored(trx, staged)
    const rows_id = await keepRows(trx, {
      header: RESULT_COLUMNS,
      row_count: staged.count,
      rows: newRows(trx, RESULT_ROWS),
      outcomes: { column: 'outcome', counts },
    })
    const totals = totalsOf(summaries)
    await endOperation(trx, import_id, { counts, rows_id, details: { ...details, ...summaryOf(totals), sent } })
    const narrative_ids = summaries.slice(0, 100).map(({ narrative_id }) => narrative_id)
    const changes = changesBetween({}, { file: name, narrative_ids, narratives_count: summaries.length, ...totals })
    await audit(trx, actor, { action: 'import', entity: 'stories', entity_id: import_id, record: { name }, changes })
    return { summaries, import_id }
  }
}

const RESULT_ROWS = sql`select row_number() over (order by number) as place, array[number::text, narrative_id::text,
  message_composite_id, left(story, ${sql.lit(KEPT_CHARACTERS)}), outcome] as cells from incoming`

/** What the rows of the import do not say: how many stories it deleted. */
function summaryOf({ imported_stories_count, deleted_stories_count: deleted_count }: Totals) {
  if (deleted_count === 0) return {}
  const stories = (count: number) => number(count, 'story', 'stories')
  const summary = `Imported ${stories(imported_stories_count)} and deleted ${stories(deleted_count)} that existed before`
  return { summary, deleted_count }
}

type Totals = ReturnType<typeof totalsOf>

function totalsOf(summaries: Summary[]) {
  const sum = (count: (summary: Summary) => number) => summaries.reduce((total, each) => total + count(each), 0)
  return {
    imported_stories_count: sum((each) => each.imported_stories_count),
    repeated_stories_count: sum((each) => each.repeated_stories_count),
    deleted_stories_count: sum((each) => each.deleted_stories_count),
  }
}

/** Adds the stories, and first removes the existing ones if asked to. */
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
      from incoming order by number on conflict (narrative_id, digest) do nothing`,
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

/** Marks the rows that were not imported, and returns the number of rows by outcome. */
async function judgeRows(trx: Trx, import_id: number, summaries: Summary[]) {
  if (summaries.some(({ repeated_stories_count }) => repeated_stories_count > 0)) {
    await sql`update incoming set outcome = 'already there' from stories
      where stories.narrative_id = incoming.narrative_id and stories.digest = incoming.digest
        and stories.import_id is distinct from ${import_id}`.execute(trx)
    await markRepeated(trx, sql`narrative_id, digest`, sql.ref('number'))
  }
  return countStaged(trx, sql.ref('number'))
}

/** The number of rows that a statement changed, by narrative. */
async function countBy(trx: Trx, statement: ReturnType<typeof sql>) {
  const { rows } = await sql<{ narrative_id: number; count: number }>`
    with changed as (${statement} returning narrative_id)
    select narrative_id, count(*) as count from changed group by narrative_id`.execute(trx)
  return new Map(rows.map(({ narrative_id, count }) => [narrative_id, count]))
}
