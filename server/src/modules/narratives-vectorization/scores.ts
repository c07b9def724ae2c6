import pg, { type Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Embeddings } from '../../adapters/embeddings/embeddings.ts'
import { hasPgvector } from '../../db/pgvector.ts'
import { copiedArrays } from '../../db/real-array.ts'
import { unavailable } from '../../problem.ts'
import { createSemaphore } from '../../semaphore.ts'

type Asked = { narrative_id: number; model: string; vector: Float32Array }
type Wanted = { thresholds: number[]; limit: number }
type Scored = { id: number; similarity: number }
type Scores = {
  count: number
  /** How many stories are at least as similar as each threshold. */
  passing: number[]
  nearest: Scored[]
}
/** The scores of some stories of a narrative, and the last of these stories; none after the end. */
type Part = Scores & { last: number | null }
type ReadPart = (after: number) => Promise<Part>

/** The calls of vectorization have 30 s, the time that a call waits for others included. */
const DEADLINE_MS = 25_000
const AT_ONCE = 2
const WAITING = 10
/** Stories in one statement, each short enough for `STATEMENT_TIMEOUT_MS` on a busy machine. */
const COMPARED_AT_ONCE = 10_000
const COPIED_AT_ONCE = 2000

/** How similar the stories of a narrative are to a vector, computed by pgvector where the database has it, else by a worker. */
export function createScores(pool: Pool, embeddings: Embeddings) {
  const full = () => unavailable('Too many comparisons are running. Try again in a minute.', 60)
  const inTurn = createSemaphore({ atOnce: AT_ONCE, waiting: WAITING, full })
  return {
    of(asked: Asked, wanted: Wanted): Promise<Scores> {
      const deadline = Date.now() + DEADLINE_MS
      return inTurn(async () => {
        const read = (await hasPgvector(pool))
          ? byPgvector(pool, asked, wanted)
          : byWorker(pool, embeddings, asked, wanted)
        return sum(read, wanted, deadline)
      })
    },
  }
}

async function sum(read: ReadPart, { thresholds, limit }: Wanted, deadline: number): Promise<Scores> {
  const total: Scores = { count: 0, passing: thresholds.map(() => 0), nearest: [] }
  for (let after: number | null = 0; after !== null; ) {
    if (Date.now() > deadline) {
      throw unavailable('Comparing the stories of this narrative takes too long right now. Try again in a minute.', 60)
    }
    const { last, count, passing, nearest }: Part = await read(after)
    total.count += count
    total.passing = total.passing.map((sum, index) => sum + (passing[index] ?? 0))
    total.nearest = nearestOf([...total.nearest, ...nearest], limit)
    after = last
  }
  return total
}

function nearestOf(scored: Scored[], limit: number) {
  return scored.sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit)
}

/**
 * The next stories of the narrative, each with its vector looked up by its key. `offset 0` keeps PostgreSQL from joining
 * in another way, for which it would read the vectors of all narratives.
 */
function nextVectors(narrative: string, model: string, after: string, count: number) {
  return `select next.id, found.vector
    from (select id from stories where narrative_id = ${narrative} and id > ${after} order by id limit ${count}) as next
    left join lateral (
      select vector from story_vectors where story_id = next.id and model = ${model} offset 0
    ) as found on true`
}

/** Vectors of another length are of an earlier model of the same name: they cannot be compared. */
const BY_PGVECTOR = `
  with next as materialized (${nextVectors('$1', '$2', '$3', COMPARED_AT_ONCE)}), scored as materialized (
    select id, round(coalesce(nullif(1 - (vector::vector <=> $4::real[]::vector), 'NaN'), 0)::numeric, 6)::float8 as similarity
    from next where cardinality(vector) = cardinality($4::real[])
  )
  select (select max(id) from next) as last, (select count(*) from scored) as count,
    (select coalesce(json_agg(passing order by place), '[]') from (
      select place, (select count(*) from scored where similarity >= threshold) as passing
      from unnest($5::float8[]) with ordinality as steps (threshold, place)) counted) as passing,
    (select coalesce(json_agg(near), '[]') from (
      select id, similarity from scored order by similarity desc, id limit $6) near) as nearest`

function byPgvector(pool: Pool, { narrative_id, model, vector }: Asked, { thresholds, limit }: Wanted): ReadPart {
  return async (after) => {
    const values = [narrative_id, model, after, [...vector], thresholds, limit]
    const { rows } = await pool.query<Part>(BY_PGVECTOR, values)
    return rows[0] ?? { last: null, count: 0, passing: [], nearest: [] }
  }
}

/** Reads the vectors in the database's own binary form. The next ones come while a worker compares these. */
function byWorker(
  pool: Pool,
  embeddings: Embeddings,
  { narrative_id, model, vector }: Asked,
  wanted: Wanted,
): ReadPart {
  const copyAfter = (after: number) => {
    const copy = copyVectors(pool, narrative_id, model, after)
    // It may fail when nobody waits for it any more.
    copy.catch(() => {})
    return copy
  }
  let next: Promise<Uint8Array> | undefined
  return async (after) => {
    const copy = await (next ?? copyAfter(after))
    const last = lastIdIn(copy)
    if (last !== null) next = copyAfter(last)
    const scored = await embeddings.similarities(vector, copy)
    return {
      last,
      count: scored.length,
      passing: wanted.thresholds.map((threshold) => scored.filter(({ similarity }) => similarity >= threshold).length),
      nearest: nearestOf(scored, wanted.limit),
    }
  }
}

function lastIdIn(copy: Uint8Array) {
  let last: number | null = null
  const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength)
  for (const { id } of copiedArrays(view)) last = Math.max(last ?? 0, id)
  return last
}

/** A copy takes no parameters. */
async function copyVectors(pool: Pool, narrative_id: number, model: string, after: number): Promise<Uint8Array> {
  const query = nextVectors(String(narrative_id), pg.escapeLiteral(model), String(after), COPIED_AT_ONCE)
  const client = await pool.connect()
  try {
    const chunks: Buffer[] = []
    for await (const chunk of client.query(copyTo(`copy (${query}) to stdout binary`))) chunks.push(chunk)
    client.release()
    // Of its own memory, which can go to the worker without a copy.
    const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const chunk of chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    return bytes
  } catch (error) {
    client.release(true)
    throw error
  }
}
