import { SIMILARITY } from '@watchdesk/contract/limits'
import type { SimilarQuery, SimilarStories } from '@watchdesk/contract/narratives-vectorization'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import { cutOff } from './passes.ts'
import { createScores } from './scores.ts'
import { modelFor } from './store.ts'

const NEAREST = 10
/** Part of the 30 s of a call; the comparison has 25 s. */
const EMBED_RETRY_FOR_MS = 4_000
const STEPS = Math.round((SIMILARITY.max - SIMILARITY.min) / SIMILARITY.step)

export function similarStories({ db, rights, embeddings, semaphores }: Deps, pool: Pool) {
  const scores = createScores(pool, embeddings, semaphores)
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
    const [vector = new Float32Array()] = await embeddings
      .embed(model, [query.text], { retryForMs: EMBED_RETRY_FOR_MS, signal })
      .catch((error: unknown) => {
        throw signal.aborted ? cutOff() : error
      })
    const thresholds = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS)
    const { count, passing, nearest } = await scores.compare(
      { narrative_id, model, length: vector.length },
      { vector, thresholds: [query.threshold ?? SIMILARITY.min, ...thresholds], limit: query.limit ?? NEAREST },
      signal,
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
