import { SIMILARITY } from '@watchdesk/contract/limits'
import type { SimilarQuery, SimilarStories } from '@watchdesk/contract/narratives-vectorization'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Actor } from '../../actor.ts'
import { HttpError, withDeadline } from '../../adapters/http.ts'
import type { Deps } from '../../deps.ts'
import { found, interrupted, unavailable } from '../../problem.ts'
import { compareStories } from './scores.ts'
import { liveNarrative, modelFor } from './store.ts'

const NEAREST = 10
/** Of the 30 s of a call; comparing includes the wait for other comparisons. */
const EMBED_RETRY_FOR_MS = 4_000
const COMPARE_MS = 25_000
const STEPS = Math.round((SIMILARITY.max - SIMILARITY.min) / SIMILARITY.step)

export async function similarStories(
  { db, rights, embeddings, semaphores }: Deps,
  pool: Pool,
  actor: Actor,
  narrative_id: number,
  query: SimilarQuery,
  signal: AbortSignal,
): Promise<SimilarStories> {
  found(await liveNarrative(db, narrative_id).executeTakeFirst(), 'Narrative')
  const model = await modelFor(db, embeddings, actor)
  const { count, passing, nearest } = await compare().catch((error: unknown) => {
    if (signal.aborted) throw interrupted()
    if (!(error instanceof HttpError)) throw error
    throw unavailable('Comparing the stories of this narrative takes too long right now. Try again in a minute.', 60)
  })
  // Checked again, because the caller may have lost access while waiting.
  await rights.check(actor)
  const [passing_count = 0, ...passing_counts] = passing
  const stories = await db
    .selectFrom('stories')
    .select(['id', 'message_composite_id', 'story'])
    .where(sql<boolean>`id = any(${nearest.map(({ id }) => id)}::bigint[])`)
    .execute()
  return {
    narrative_id,
    model,
    vectorized_count: count,
    passing_count,
    passing_counts,
    nearest: nearest.flatMap(({ id, similarity }) => {
      const story = stories.find((each) => each.id === id)
      return story ? { ...story, similarity } : []
    }),
  }

  async function compare() {
    const [vector = new Float32Array()] = await embeddings.embed(model, [query.text], {
      retryForMs: EMBED_RETRY_FOR_MS,
      signal,
    })
    const steps = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS)
    const asked = {
      narrative_id,
      model,
      vector,
      thresholds: [query.threshold ?? SIMILARITY.min, ...steps],
      limit: query.limit ?? NEAREST,
    }
    return withDeadline({ ms: COMPARE_MS, signal }, (time) =>
      semaphores.slowReads.run(() => compareStories(pool, asked, time.signal), {
        key: actor.id,
        signal: time.signal,
        refuse: () => unavailable('Too many comparisons are running. Try again in a minute.', 60),
      }),
    )
  }
}
