import { addAbortSignal } from 'node:stream'
import pg, { type Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Embeddings } from '../../adapters/embeddings/embeddings.ts'
import { addScore, createTally, type Target } from '../../adapters/embeddings/similarities.ts'
import { hasPgvector } from '../../db/pgvector.ts'
import { readId } from '../../db/vector-bytes.ts'
import type { Semaphores } from '../../semaphore.ts'
import { createPasses, type Range, type ReadPart, type Vectors } from './passes.ts'

/** Stories per statement, few enough for `STATEMENT_TIMEOUT_MS` on a busy machine. */
const COMPARED_AT_ONCE = 10_000
/** Scores processed before yielding to the event loop. */
const COUNTED_AT_ONCE = 20_000
const READ_AT_ONCE_BYTES = 4_000_000
const ID_BYTES = 8
/** The header of a binary COPY of one value; its last four bytes are the length of the value. */
const COPY_HEADER = 25
/** Padding before the header, which aligns the value for typed arrays. */
const COPY_PADDING = 3
/** Longer than the statement timeout: then the connection is dead without an error. */
const COPY_MS = 60_000

/**
 * Computes the similarity of a narrative's stories to a vector, with pgvector if the database has it, otherwise in a
 * worker.
 */
export function createScores(pool: Pool, embeddings: Embeddings, semaphores: Semaphores) {
  return createPasses(semaphores, async (vectors) =>
    (await hasPgvector(pool)) ? byPgvector(pool, vectors) : byWorker(pool, embeddings, vectors),
  )
}

type Read = {
  /** SQL expressions for the vector, null if it cannot be compared, and for the story columns to read. */
  vector: string
  entry: string
  limit: number
}

/**
 * Selects the next stories of the narrative with their vectors. `offset 0` prevents a join that would read the vectors
 * of all narratives. The result is a single value, the id of the last story followed by all entries, because separate
 * rows would cost more than comparing them. COPY takes no parameters.
 */
async function readNext(pool: Pool, { narrative_id, model }: Vectors, { after, upTo }: Range, read: Read) {
  const bytes = await copyBytes(
    pool,
    `select int8send(max(id)) || coalesce(string_agg(${read.entry}, '') filter (where vector is not null), '')
    from (
      select next.id, found.vector
      from (
        select id from stories where narrative_id = ${narrative_id} and id > ${after} and id <= ${upTo}
          and deleted_at is null
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
async function copyBytes(pool: Pool, query: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const client = await pool.connect()
  try {
    const chunks: Buffer[] = []
    const copied = client.query(copyTo(`copy (${query}) to stdout binary`))
    for await (const chunk of addAbortSignal(AbortSignal.timeout(COPY_MS), copied)) chunks.push(chunk)
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
function byPgvector(pool: Pool, vectors: Vectors): ReadPart {
  const vector = `case when cardinality(vector) = ${vectors.length} then vector::vector end`
  return async (range, targets) => {
    const scores = targets.map(
      (target) => `float8send(coalesce(1 - (vector <=> '{${target.vector.join()}}'::real[]::vector), 0))`,
    )
    const entry = ['int8send(id)', ...scores].join(' || ')
    const limit = Math.min(COMPARED_AT_ONCE, Math.ceil(COUNTED_AT_ONCE / targets.length))
    const next = await readNext(pool, vectors, range, { vector, entry, limit })
    return next && { last: next.last, tallies: talliesOf(targets, next.entries) }
  }
}

/** Counts entries that consist of an id and a score for each target. */
function talliesOf(targets: Target[], entries: Uint8Array) {
  const view = viewOf(entries)
  const size = ID_BYTES + targets.length * 8
  return targets.map((target, index) => {
    const tally = createTally(target)
    for (let at = 0; at < entries.length; at += size) {
      addScore(tally, target, readId(view, at), view.getFloat64(at + ID_BYTES + index * 8))
    }
    return tally
  })
}

/** Reads the next vectors while a worker compares the current ones. */
function byWorker(pool: Pool, embeddings: Embeddings, vectors: Vectors): ReadPart {
  const bytes = vectors.length * Float32Array.BYTES_PER_ELEMENT
  const read = {
    vector: `case when octet_length(packed) = ${bytes} then packed
      when packed is null and cardinality(vector) = ${vectors.length} then array_send(vector) end`,
    entry: 'int8send(id) || int4send(octet_length(vector)) || vector',
    limit: Math.ceil(READ_AT_ONCE_BYTES / Math.max(1, bytes)),
  }
  const start = (range: Range) => {
    const next = readNext(pool, vectors, range, read)
    // Prevents an unhandled rejection when nothing awaits it any more.
    next.catch(() => {})
    return { ...range, next }
  }
  let ahead: ReturnType<typeof start> | undefined
  return async (range, targets) => {
    const isAhead = ahead?.after === range.after && ahead.upTo === range.upTo
    const next = await (isAhead && ahead ? ahead : start(range)).next
    ahead = next ? start({ after: next.last, upTo: range.upTo }) : undefined
    return next && { last: next.last, tallies: await embeddings.similarities(targets, next.entries) }
  }
}
