import { type Selectable, sql } from 'kysely'
import type { Embeddings } from '../../adapters/embeddings/embeddings.ts'
import type { EmbedOptions } from '../../adapters/embeddings/openai.ts'
import { LeaseLost } from '../../db/leases.ts'
import type { Db, InTransaction, Trx } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import type { Tables } from '../../db/tables.ts'
import { toPacked, toRealArray } from '../../db/vector-bytes.ts'

export type RunRow = Selectable<Tables['vectorization_runs']>

/** Limits the text in a batch, because the worker that embeds it also serves other requests. */
const BATCH_BYTES = 1_000_000

/** Saves the vectors and the progress only if the run has not moved on and has the same lease holder. */
export async function vectorizeBatch(
  db: Db,
  inTransaction: InTransaction,
  embeddings: Embeddings,
  run: RunRow,
  options: EmbedOptions = {},
) {
  const size = embeddings.batchSize(run.model)
  const stories_count = run.stories_count ?? (await countStories(db, run))
  const stories = await nextStories(db, run, size)
  const bytes = stories.reduce((sum, story) => sum + story.bytes, 0)
  const is_finished = stories.length < size && bytes < BATCH_BYTES
  const texts = stories.map(({ story }) => story)
  const vectors = texts.length === 0 ? [] : await embeddings.embed(run.model, texts, options)
  const done_count = run.done_count + stories.length
  const progress = {
    done_count,
    // Stories may be added or deleted during the run, so the final count is the number processed.
    stories_count: is_finished ? done_count : Math.max(stories_count, done_count),
    last_story_id: stories.at(-1)?.id ?? run.last_story_id,
    attempts: 0,
  }
  const advanced = await inTransaction(async (trx) => {
    const row = await trx
      .updateTable('vectorization_runs')
      .set(progress)
      .where('id', '=', run.id)
      .where('last_story_id', '=', run.last_story_id)
      .where('leased_by', 'is not distinct from', run.leased_by)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new LeaseLost()
    if (stories.length > 0) await saveVectors(trx, run.model, stories, vectors)
    return row
  })
  return { run: advanced, is_finished }
}

function storiesOf({ narrative_id, platforms, content_types }: RunRow) {
  return sql`stories.narrative_id = ${narrative_id} and stories.deleted_at is null
    and (cardinality(${platforms}::text[]) = 0 or stories.platform = any(${platforms}::text[]))
    and (cardinality(${content_types}::text[]) = 0 or stories.content_type = any(${content_types}::text[]))`
}

async function countStories(db: Db, run: RunRow) {
  const [row] = await rowsOf(db, sql<{ count: number }>`select count(*) from stories where ${storiesOf(run)}`)
  return row?.count ?? 0
}

type Story = { id: number; story: string; bytes: number }

function nextStories(db: Db, run: RunRow, size: number) {
  const next = sql<Story>`select id, story, bytes from (
      select id, story, octet_length(story) as bytes, sum(octet_length(story)) over (order by id) as sum
      from (select id, story from stories where ${storiesOf(run)} and id > ${run.last_story_id} order by id limit ${size}) next
    ) summed where sum - bytes < ${BATCH_BYTES} order by id`
  return rowsOf(db, next)
}

/** Waits for an import that deletes stories, and skips those. The server compares `packed` without pgvector. */
async function saveVectors(trx: Trx, model: string, stories: Story[], vectors: Float32Array[]) {
  const fresh = stories.map(({ id }, index) => {
    const vector = vectors[index] ?? new Float32Array()
    return sql`(${id}::bigint, ${toRealArray(vector)}::real[], ${toPacked(vector)}::bytea)`
  })
  await sql`insert into story_vectors (story_id, model, vector, packed)
    select stories.id, ${model}, fresh.vector, case when to_regtype('vector') is null then fresh.packed end
    from (values ${sql.join(fresh)}) as fresh (id, vector, packed) join stories on stories.id = fresh.id
    order by stories.id
    for key share of stories
    on conflict (story_id, model) do update set vector = excluded.vector, packed = excluded.packed`.execute(trx)
}
