import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import pg, { type Pool, type PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { hasPgvector } from '../../db/pgvector.ts'
import { dotProduct } from '../../db/vector-bytes.ts'

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

export async function compareStories(pool: Pool, asked: Asked, signal: AbortSignal) {
  const { thresholds, limit } = asked
  const client = await pool.connect()
  try {
    const isPgvector = await hasPgvector(client)
    let [count, after] = [0, 0]
    let passing = thresholds.map(() => 0)
    let nearest: Scored[] = []
    for (;;) {
      signal.throwIfAborted()
      const compared = await compareNext(client, signal, asked, after, isPgvector)
      if (compared.length === 0) return { count, passing, nearest }
      after = compared.at(-1)?.id ?? after
      const scored = compared.flatMap(({ id, cosine }) => (cosine === null ? [] : { id, similarity: rounded(cosine) }))
      count += scored.length
      passing = thresholds.map((threshold, at) => {
        const reaching = scored.filter(({ similarity }) => similarity >= threshold)
        return (passing[at] ?? 0) + reaching.length
      })
      nearest = [...nearest, ...scored].sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit)
    }
  } finally {
    // Ends the connection, and with it a statement that runs.
    client.release(signal.aborted)
  }
}

/** So that the same text comes to exactly 1. A vector of zeros is similar to nothing. */
function rounded(cosine: number) {
  return Math.round((Number.isNaN(cosine) ? 0 : cosine) * 1e6) / 1e6
}

/** A vector of another length is of an older model of that name. `offset 0` prevents a join that reads all vectors. */
async function compareNext(client: PoolClient, signal: AbortSignal, asked: Asked, after: number, isPgvector: boolean) {
  const { narrative_id, model, vector } = asked
  const { value, limit, cosineIn } = isPgvector ? inDatabase(vector) : here(vector)
  const bytes = await copyBytes(
    client,
    signal,
    `select string_agg(int8send(id) || int4send(coalesce(octet_length(value), 0)) || coalesce(value, ''), '' order by id)
    from (
      select id from stories where narrative_id = ${narrative_id} and id > ${after} and deleted_at is null
      order by id limit ${limit}
    ) as next
    left join lateral (
      select ${value} as value
      from story_vectors where story_id = next.id and model = ${pg.escapeLiteral(model)} offset 0
    ) as compared on true`,
  )
  const compared: { id: number; cosine: number | null }[] = []
  for (let at = 0; at < bytes.length; ) {
    const id = Number(bytes.readBigInt64BE(at))
    const size = bytes.readInt32BE(at + 8)
    const found = bytes.subarray(at + 12, at + 12 + size)
    compared.push({ id, cosine: size === 0 ? null : cosineIn(found) })
    at += 12 + size
  }
  return compared
}

function inDatabase(vector: Float32Array) {
  const cosine = `1 - (vector::vector <=> '{${vector.join()}}'::real[]::vector)`
  return {
    value: `case when cardinality(vector) = ${vector.length} then float8send(coalesce(${cosine}, 0)) end`,
    limit: SCORES_AT_ONCE,
    cosineIn: (found: Buffer) => found.readDoubleBE(),
  }
}

/** A vector that an earlier release stored, or when the database had pgvector, is not packed. */
function here(vector: Float32Array) {
  const { length, byteLength } = vector
  return {
    value: `case when octet_length(packed) = ${byteLength} then packed
      when packed is null and cardinality(vector) = ${length} then array_send(vector) end`,
    limit: Math.ceil(VECTOR_BYTES_AT_ONCE / byteLength),
    cosineIn: (found: Buffer) => dotProduct(vector, found),
  }
}

/** The header of a binary COPY of one value, which ends with the length of the value. */
const COPY_HEADER = 25

/** The `bytea` of a query. Uses COPY, because `pg` reads values as text, and separate rows cost more than comparing them. */
async function copyBytes(client: PoolClient, signal: AbortSignal, query: string) {
  const copy = client.query(copyTo(`copy (${query}) to stdout binary`))
  const bytes = await buffer(addAbortSignal(signal, copy))
  const length = bytes.readInt32BE(COPY_HEADER - 4)
  return bytes.subarray(COPY_HEADER, COPY_HEADER + Math.max(0, length))
}
