import pg, { type Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Embeddings } from '../../adapters/embeddings/embeddings.ts'
import { unavailable } from '../../problem.ts'

type Asked = { narrative_id: number; model: string; vector: Float32Array }
type Wanted = { thresholds: number[]; limit: number }
type Scored = { id: number; similarity: number }
type Scores = {
  count: number
  /** How many stories are at least as similar as each threshold. */
  passing: number[]
  nearest: Scored[]
}

const ROWS_AT_ONCE = 1000
const DEADLINE_MS = 25_000

/** How similar the stories of a narrative are to a vector: asked of pgvector where the database has it, else of a worker. */
export function createScores(pool: Pool, embeddings: Embeddings) {
  let pgvector: Promise<boolean> | undefined
  return {
    async of(asked: Asked, wanted: Wanted): Promise<Scores> {
      pgvector ??= hasPgvector(pool)
      const isThere = await pgvector.catch((error) => {
        pgvector = undefined
        throw error
      })
      return isThere ? scoresByPgvector(pool, asked, wanted) : scoresByWorker(pool, embeddings, asked, wanted)
    },
  }
}

/** Made ready where the server brings it along and our role may; it is never required. */
async function hasPgvector(pool: Pool) {
  const { rows } = await pool.query<{ installed_version: string | null }>(
    `select installed_version from pg_available_extensions where name = 'vector'`,
  )
  if (!rows[0]) return false
  if (rows[0].installed_version !== null) return true
  await pool.query('create extension if not exists vector').catch(() => {})
  const { rowCount } = await pool.query(`select from pg_extension where extname = 'vector'`)
  return rowCount === 1
}

/** Vectors of another length are of an earlier model of the same name: they cannot be compared. */
const BY_PGVECTOR = `
  with scored as materialized (
    select stories.id, round(coalesce(nullif(1 - (vectors.vector::vector <=> $3::real[]::vector), 'NaN'), 0)::numeric, 6)::float8 as similarity
    from stories join story_vectors vectors on vectors.story_id = stories.id and vectors.model = $2
    where stories.narrative_id = $1 and cardinality(vectors.vector) = cardinality($3::real[])
  )
  select (select count(*) from scored) as count,
    (select coalesce(json_agg(passing order by place), '[]') from (
      select place, (select count(*) from scored where similarity >= threshold) as passing
      from unnest($4::float8[]) with ordinality as steps (threshold, place)) counted) as passing,
    (select coalesce(json_agg(near order by similarity desc, id), '[]') from (
      select id, similarity from scored order by similarity desc, id limit $5) near) as nearest`

async function scoresByPgvector(pool: Pool, { narrative_id, model, vector }: Asked, { thresholds, limit }: Wanted) {
  const values = [narrative_id, model, [...vector], thresholds, limit]
  const { rows } = await pool.query<Scores>(BY_PGVECTOR, values)
  return rows[0] ?? { count: 0, passing: thresholds.map(() => 0), nearest: [] }
}

/** Reads the vectors in the database's own binary form, a few hundred at a time, and leaves the arithmetic to a worker. */
async function scoresByWorker(
  pool: Pool,
  embeddings: Embeddings,
  { narrative_id, model, vector }: Asked,
  { thresholds, limit }: Wanted,
) {
  const deadline = Date.now() + DEADLINE_MS
  const passing = thresholds.map(() => 0)
  let nearest: Scored[] = []
  let count = 0
  for (let last = 0; ; ) {
    const { rows } = await pool.query<{ id: number }>(NEXT_STORIES, [narrative_id, last, ROWS_AT_ONCE])
    const scored = await embeddings.similarities(vector, await copyVectors(pool, model, rows))
    count += scored.length
    thresholds.forEach((threshold, index) => {
      passing[index] = (passing[index] ?? 0) + scored.filter(({ similarity }) => similarity >= threshold).length
    })
    nearest = [...nearest, ...scored].sort((a, b) => b.similarity - a.similarity || a.id - b.id).slice(0, limit)
    if (rows.length < ROWS_AT_ONCE) return { count, passing, nearest }
    if (Date.now() > deadline) throw unavailable('This narrative has too many stories to compare in time.')
    last = rows.at(-1)?.id ?? last
  }
}

const NEXT_STORIES = `select id from stories where narrative_id = $1 and id > $2 order by id limit $3`

/** By the ids themselves: asked to join, PostgreSQL may walk all vectors for each batch. A copy takes no parameters. */
async function copyVectors(pool: Pool, model: string, stories: { id: number }[]): Promise<Uint8Array> {
  const ids = stories.map(({ id }) => Number(id)).join(',') || '0'
  const query = `select story_id, vector from story_vectors where story_id in (${ids}) and model = ${pg.escapeLiteral(model)}`
  const client = await pool.connect()
  try {
    const chunks: Buffer[] = []
    for await (const chunk of client.query(copyTo(`copy (${query}) to stdout binary`))) chunks.push(chunk)
    client.release()
    return Buffer.concat(chunks)
  } catch (error) {
    client.release(true)
    throw error
  }
}
