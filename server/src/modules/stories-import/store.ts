import { importStories, type StoriesImportResult, type StoryCounts } from '@watchdesk/contract/stories-import'
import { TableError } from '@watchdesk/contract/table-error'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { readWith } from '../../adapters/tables/read-table.ts'
import { audit } from '../../db/audit.ts'
import type { Copy } from '../../db/copy.ts'
import { once } from '../../db/idempotency.ts'
import type { Db, Trx } from '../../db/open.ts'
import type { Rights } from '../../db/rights.ts'
import type { Upload } from '../../plugins/upload.ts'
import { invalid, Problem } from '../../problem.ts'
import type { StoryLines } from './story-lines.ts'

/** Less than the five minutes that a caller waits. */
const MAX_MS = 280_000
const MAX_NARRATIVES = 10_000

type Summary = StoriesImportResult['summaries'][number]
type File = Pick<Upload, 'path' | 'name' | 'kind' | 'sha256'>

export function storiesImportStore(db: Db, rights: Rights) {
  return { create, count }

  /** Narratives that do not exist yet have no stories. */
  async function count(ids: number[]): Promise<StoryCounts> {
    if (ids.length === 0) return { counts: [] }
    const rows = await db
      .selectFrom('stories')
      .select(({ fn }) => ['narrative_id', fn.countAll<number>().as('stories_count')])
      .where(sql<boolean>`narrative_id = any(${ids}::int[])`)
      .groupBy('narrative_id')
      .execute()
    const counts = new Map(rows.map(({ narrative_id, stories_count }) => [narrative_id, stories_count]))
    return { counts: ids.map((narrative_id) => ({ narrative_id, stories_count: counts.get(narrative_id) ?? 0 })) }
  }

  /** Imports the whole file or nothing. */
  function create(actor: Actor, file: File, deleteExisting: boolean, key?: string): Promise<StoriesImportResult> {
    const call = {
      name: `${importStories.method} ${importStories.url}`,
      key,
      request: Buffer.concat([file.sha256, Buffer.from(String(deleteExisting))]),
    }
    const work = (trx: Trx, copy: Copy) => async () => {
      await stage(copy, trx, file)
      const summaries = await merge(trx, actor, deleteExisting)
      await auditImport(trx, actor, file, summaries)
      return { summaries }
    }
    return rights.writeCopying(actor, MAX_MS, (trx, copy) => once(trx, actor, call, work(trx, copy)))
  }
}

/** Copies the rows of the file into a temporary table. Throws if any row is invalid. */
async function stage(copy: Copy, trx: Trx, file: File) {
  await sql`create temp table incoming (narrative_id integer not null, message_composite_id text not null,
    story text not null, sentiment_score double precision, platform text, content_type text) on commit drop`.execute(
    trx,
  )
  const pieces = readWith<StoryLines>(
    'modules/stories-import/stories',
    { path: file.path, kind: file.kind },
    {
      deadlineMs: MAX_MS,
    },
  )
  let refusal: Problem | undefined
  try {
    await copy(
      'incoming',
      (async function* () {
        for await (const piece of pieces) {
          if ('lines' in piece) yield piece.lines
          else refusal = refusalOf(piece)
        }
      })(),
    )
  } catch (error) {
    throw error instanceof TableError ? invalid('file', error.message) : error
  }
  if (refusal) throw refusal
}

function refusalOf({ faults, more }: Extract<StoryLines, { more: number }>) {
  const lines = faults.map(({ row, fault }) => `Row ${row}: ${fault}`)
  if (more > 0) lines.push(`… and ${more.toLocaleString('en')} more ${more === 1 ? 'row' : 'rows'}.`)
  return new Problem(
    422,
    lines.map((msg) => ({ loc: ['body', 'file'], msg, type: 'value_error' })),
  )
}

async function merge(trx: Trx, actor: Actor, deleteExisting: boolean): Promise<Summary[]> {
  const { rows: counted } = await sql<{ narrative_id: number; count: number }>`
    select narrative_id, count(*) as count from incoming group by narrative_id order by narrative_id`.execute(trx)
  if (counted.length > MAX_NARRATIVES) {
    throw invalid('file', `The file contains more than ${MAX_NARRATIVES.toLocaleString('en')} narratives.`)
  }
  const ids = counted.map(({ narrative_id }) => narrative_id)
  // In id order, so that concurrent imports of the same narratives do not deadlock.
  await sql`insert into narratives (id, created_by) select id, ${actor.id} from unnest(${ids}::integer[]) as id
    order by id on conflict do nothing`.execute(trx)
  await sql`select id from narratives where id = any(${ids}) order by id for no key update`.execute(trx)

  const deleted = deleteExisting ? await countBy(trx, sql`delete from stories where narrative_id = any(${ids})`) : null
  // The length prefix marks where the id ends and the story begins.
  const imported = await countBy(
    trx,
    sql`insert into stories
        (narrative_id, message_composite_id, story, sentiment_score, platform, content_type, digest)
      select narrative_id, message_composite_id, story, sentiment_score, platform, content_type,
        md5(length(message_composite_id) || ':' || message_composite_id || story)::uuid
      from incoming on conflict (narrative_id, digest) do nothing`,
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

/** The number of rows that a statement changed, by narrative. */
async function countBy(trx: Trx, statement: ReturnType<typeof sql>) {
  const { rows } = await sql<{ narrative_id: number; count: number }>`
    with changed as (${statement} returning narrative_id)
    select narrative_id, count(*) as count from changed group by narrative_id`.execute(trx)
  return new Map(rows.map(({ narrative_id, count }) => [narrative_id, count]))
}

async function auditImport(trx: Trx, actor: Actor, file: File, summaries: Summary[]) {
  const sum = (count: (summary: Summary) => number) => summaries.reduce((total, each) => total + count(each), 0)
  const details = {
    file: file.name,
    narrative_ids: summaries.slice(0, 100).map(({ narrative_id }) => narrative_id),
    narratives_count: summaries.length,
    imported_stories_count: sum((each) => each.imported_stories_count),
    repeated_stories_count: sum((each) => each.repeated_stories_count),
    deleted_stories_count: sum((each) => each.deleted_stories_count),
  }
  const changes = Object.fromEntries(Object.entries(details).map(([name, after]) => [name, { before: null, after }]))
  await audit(trx, actor, { action: 'import', entity: 'stories', entity_id: null, changes })
}
