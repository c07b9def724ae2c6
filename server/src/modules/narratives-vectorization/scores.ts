import type { Pool, PoolClient } from 'pg'
import { UNNAMED } from '../../db/named-client.ts'
import { hasPgvector } from '../../db/pgvector.ts'
import { dotProduct, toRealArray } from '../../db/vector-bytes.ts'

/** What is asked about the stories of a narrative: how many reach each threshold, and which are the most similar. */
export type Asked = {
  narrative_id: number
  model: string
  /** Of length 1. */
  vector: Float32Array
  thresholds: number[]
  limit: number
}

type Scored = { id: number; similarity: number }

/** Stories per statement: few enough for `STATEMENT_TIMEOUT_MS` on a busy machine, and for the event loop. */
const SCORES_AT_ONCE = 10_000
const VECTOR_BYTES_AT_ONCE = 2_000_000

/** Compares the stories of a narrative with a vector: with pgvector if the database has it, otherwise here. */
export async function compareStories(pool: Pool, asked: Asked, signal: AbortSignal) {
  const { thresholds, limit } = asked
  const client = await pool.connect()
  // Ends the connection, and with it the statement that runs.
  const end = () => void client.end()
  signal.addEventListener('abort', end)
  try {
    const isPgvector = await hasPgvector(client)
    let [count, after] = [0, 0]
    let passing = thresholds.map(() => 0)
    let nearest: Scored[] = []
    for (;;) {
      signal.throwIfAborted()
      const compared = await compareNext(client, asked, after, isPgvector)
      if (compared.length === 0) return { count, passing, nearest }
      after = compared.at(-1)?.id ?? after
      const scored = compared.flatMap(({ id, cosine }) => (cosine === null ? [] : { id, similarity: rounded(cosine) }))
      count += scored.length
      passing = thresholds.map((threshold, at) => {
        const reaching = scored.filter(({ similarity }) => similarity >= threshold)
        return (passing[at] ?? 0) + reaching.length
      })
      // Among equals the oldest first.
      nearest = [...nearest, ...scored].sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit)
    }
  } finally {
    signal.removeEventListener('abort', end)
    client.release(signal.aborted)
  }
}

/** So that the same text comes to exactly 1. A vector of zeros is similar to nothing. */
function rounded(cosine: number) {
  return Math.round((Number.isNaN(cosine) ? 0 : cosine) * 1e6) / 1e6
}

/**
 * The next stories. Those without a vector, or with one of another length, of an earlier model of the same name, have no
 * cosine. `offset 0` prevents a join that would read the vectors of all narratives.
 */
async function compareNext(client: PoolClient, asked: Asked, after: number, isPgvector: boolean) {
  const { narrative_id, model, vector } = asked
  const [value, limit] = isPgvector ? cosineOf(vector) : bytesOf(vector)
  const text = `${UNNAMED} select id, value
    from (
      select id from stories where narrative_id = $1 and id > $2 and deleted_at is null order by id limit $3
    ) as next
    left join lateral (
      select ${value} as value from story_vectors where story_id = next.id and model = $4 offset 0
    ) as compared on true
    order by id`
  const values = [narrative_id, after, limit, model, ...(isPgvector ? [toRealArray(vector)] : [])]
  const { rows } = await client.query<{ id: number; value: number | Buffer | null }>(text, values)
  return rows.map(({ id, value }) => ({ id, cosine: Buffer.isBuffer(value) ? dotProduct(vector, value) : value }))
}

function cosineOf({ length }: Float32Array) {
  const cosine = 'coalesce(1 - (vector::vector <=> $5::real[]::vector), 0)'
  return [`case when cardinality(vector) = ${length} then ${cosine} end`, SCORES_AT_ONCE] as const
}

/** A vector that an earlier release stored, or when the database had pgvector, is not packed. */
function bytesOf({ length, byteLength }: Float32Array) {
  const bytes = `case when octet_length(packed) = ${byteLength} then packed
    when packed is null and cardinality(vector) = ${length} then array_send(vector) end`
  return [bytes, Math.ceil(VECTOR_BYTES_AT_ONCE / byteLength)] as const
}
