import { addAbortSignal } from 'node:stream'
import pg, { type Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Embeddings } from '../../adapters/embeddings/embeddings.ts'
import { addScore, addTally, createTally, type Tally, type Target } from '../../adapters/embeddings/similarities.ts'
import { hasPgvector } from '../../db/pgvector.ts'
import { readId } from '../../db/vector-bytes.ts'

/** Identifies the vectors of one narrative and model. */
export type Vectors = { narrative_id: number; model: string; length: number }

/** Stories per statement, few enough for `STATEMENT_TIMEOUT_MS` on a busy machine, and for the event loop. */
const COMPARED_AT_ONCE = 10_000
const READ_AT_ONCE_BYTES = 4_000_000
const ID_BYTES = 8
const SCORE_BYTES = 8
/** The header of a binary COPY of one value; its last four bytes are the length of the value. */
const COPY_HEADER = 25
/** Padding before the header, which aligns the value for typed arrays. */
const COPY_PADDING = 3

/**
 * Compares the stories of a narrative with a vector, with pgvector if the database has it, otherwise in a worker. Each
 * statement reads the next stories.
 */
export async function compareStories(
  pool: Pool,
  embeddings: Embeddings,
  vectors: Vectors,
  target: Target,
  signal: AbortSignal,
): Promise<Tally> {
  const read = (await hasPgvector(pool)) ? scoresRead(vectors, target) : vectorsRead(vectors, target, embeddings)
  const tally = createTally(target)
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const next = await readNext(pool, vectors, after, read, signal)
    if (!next) return tally
    addTally(tally, target, await read.tallyOf(next.entries))
    after = next.last
  }
}

type Read = {
  /** SQL expressions for the vector, null if it cannot be compared, and for the story columns to read. */
  vector: string
  entry: string
  limit: number
  tallyOf(entries: Uint8Array): Tally | Promise<Tally>
}

/**
 * Selects the next stories of the narrative with their vectors. `offset 0` prevents a join that would read the vectors
 * of all narratives. The result is a single value, the id of the last story followed by all entries, because separate
 * rows would cost more than comparing them. COPY takes no parameters.
 */
async function readNext(pool: Pool, { narrative_id, model }: Vectors, after: number, read: Read, signal: AbortSignal) {
  const bytes = await copyBytes(
    pool,
    signal,
    `select int8send(max(id)) || coalesce(string_agg(${read.entry}, '') filter (where vector is not null), '')
    from (
      select next.id, found.vector
      from (
        select id from stories where narrative_id = ${narrative_id} and id > ${after} and deleted_at is null
        order by id limit ${read.limit}
      ) as next
      left join lateral (
        select ${read.vector} as vector
        from story_vectors where story_id = next.id and model = ${pg.escapeLiteral(model)} offset 0
      ) as found on true
    ) as compared`,
  )
  return bytes && { last: readId(viewOf(bytes), 0), entries: bytes.subarray(ID_BYTES) }
}

/**
 * Returns the `bytea` of a query, or null. Uses COPY, because `pg` reads row values as text. The buffer is not shared,
 * so it can be transferred to a worker.
 */
async function copyBytes(pool: Pool, signal: AbortSignal, query: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const client = await pool.connect()
  try {
    const chunks: Buffer[] = []
    const copied = client.query(copyTo(`copy (${query}) to stdout binary`))
    for await (const chunk of addAbortSignal(signal, copied)) chunks.push(chunk)
    client.release()
    const copy = Buffer.from(new ArrayBuffer(chunks.reduce((sum, { length }) => sum + length, COPY_PADDING)))
    let at = COPY_PADDING
    for (const chunk of chunks) at += chunk.copy(copy, at)
    const start = COPY_PADDING + COPY_HEADER
    const length = copy.readInt32BE(start - 4)
    return length < 0 ? null : new Uint8Array(copy.buffer, start, length)
  } catch (error) {
    client.release(true)
    throw error
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array) {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Vectors of another length come from an earlier model of the same name and cannot be compared. */
function scoresRead({ length }: Vectors, target: Target): Read {
  return {
    vector: `case when cardinality(vector) = ${length} then vector::vector end`,
    entry: `int8send(id) || float8send(coalesce(1 - (vector <=> '{${target.vector.join()}}'::real[]::vector), 0))`,
    limit: COMPARED_AT_ONCE,
    tallyOf: (entries) => tallyOf(target, entries),
  }
}

/** Counts entries that consist of an id and a score. */
function tallyOf(target: Target, entries: Uint8Array) {
  const view = viewOf(entries)
  const tally = createTally(target)
  for (let at = 0; at < entries.length; at += ID_BYTES + SCORE_BYTES) {
    addScore(tally, target, readId(view, at), view.getFloat64(at + ID_BYTES))
  }
  return tally
}

function vectorsRead({ length }: Vectors, target: Target, embeddings: Embeddings): Read {
  const bytes = length * Float32Array.BYTES_PER_ELEMENT
  return {
    vector: `case when octet_length(packed) = ${bytes} then packed
      when packed is null and cardinality(vector) = ${length} then array_send(vector) end`,
    entry: 'int8send(id) || int4send(octet_length(vector)) || vector',
    limit: Math.ceil(READ_AT_ONCE_BYTES / Math.max(1, bytes)),
    tallyOf: (entries) => embeddings.similarities(target, entries),
  }
}
