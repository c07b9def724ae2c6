import { SIMILARITY } from '@watchdesk/contract/limits'
import type { SimilarQuery, SimilarStories } from '@watchdesk/contract/narratives-vectorization'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Actor } from '../../actor.ts'
import { HttpError, withDeadline } from '../../adapters/http.ts'
import type { Deps } from '../../deps.ts'
import { found, interrupted, unavailable } from '../../problem.ts'
import { compareStories } from './scores.ts'
import { modelFor } from './store.ts'

const NEAREST = 10
/** Of the 30 s of a call; comparing includes the wait for other comparisons. */
const EMBED_RETRY_FOR_MS = 4_000
const COMPARE_MS = 25_000
const STEPS = Math.round((SIMILARITY.max - SIMILARITY.min) / SIMILARITY.step)

export function similarStories({ db, rights, embeddings, semaphores }: Deps, pool: Pool) {
  return { find }

  async function find(
    actor: Actor,
    narrative_id: number,
    query: SimilarQuery,
    signal: AbortSignal,
  ): Promise<SimilarStories> {
    const narrative = db
      .selectFrom('narratives')
      .select('id')
      .where('id', '=', narrative_id)
      .where('deleted_at', 'is', null)
    found(await narrative.executeTakeFirst(), 'Narrative')
    const model = await modelFor(db, embeddings, actor)
    const { count, passing, nearest } = await compare(actor, { narrative_id, model }, query, signal).catch(
      (error: unknown) => {
        throw signal.aborted ? interrupted() : error
      },
    )
    // Checked again, because the caller may have lost access while waiting.
    await rights.check(actor)
    const [passing_count = 0, ...passing_counts] = passing
    const stories = await texts(nearest.map(({ id }) => id))
    return {
      narrative_id,
      model,
      vectorized_count: count,
      passing_count,
      passing_counts,
      nearest: nearest.flatMap(({ id, similarity }) => {
        const story = stories.get(id)
        return story ? [{ ...story, similarity }] : []
      }),
    }
  }

  type Compared = { narrative_id: number; model: string }

  async function compare(actor: Actor, compared: Compared, query: SimilarQuery, signal: AbortSignal) {
    const embedded = await embeddings.embed(compared.model, [query.text], { retryForMs: EMBED_RETRY_FOR_MS, signal })
    const vector = embedded[0] ?? new Float32Array()
    const thresholds = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS)
    const target = {
      vector,
      thresholds: [query.threshold ?? SIMILARITY.min, ...thresholds],
      limit: query.limit ?? NEAREST,
    }
    const vectors = { ...compared, length: vector.length }
    return withDeadline({ ms: COMPARE_MS, signal }, (time) =>
      semaphores.expensiveReads.run(() => compareStories(pool, embeddings, vectors, target, time.signal), {
        key: actor.id,
        signal: time.signal,
        refuse: () => unavailable('Too many comparisons are running. Try again in a minute.', 60),
      }),
    ).catch((error: unknown) => {
      throw error instanceof HttpError ? tooLong() : error
    })
  }

  async function texts(ids: number[]) {
    if (ids.length === 0) return new Map()
    const columns = ['id', 'message_composite_id', 'story'] as const
    const rows = await db
      .selectFrom('stories')
      .select(columns)
      .where(sql<boolean>`id = any(${ids}::bigint[])`)
      .execute()
    return new Map(rows.map((row) => [row.id, row]))
  }
}

function tooLong() {
  const detail = 'Comparing the stories of this narrative takes too long right now. Try again in a minute.'
  return unavailable(detail, 60)
}
