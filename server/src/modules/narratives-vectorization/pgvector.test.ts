import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SimilarStories } from '@watchdesk/contract/narratives-vectorization'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { insertNarrative, untilRunsEnd } from '../../../test/helpers/narratives.ts'
import { cloneDatabase, startWatchdesk, type Watchdesk } from '../../../test/helpers/watchdesk.ts'
import { connect, type Database } from '../../db/open.ts'
import { hasPgvector, preparePgvector } from '../../db/pgvector.ts'

/** The parts of pgvector that we use, in plain SQL, because the embedded PostgreSQL does not include the extension. */
const EXTENSION = `create domain vector as real[];
create function cosine_distance(real[], real[]) returns float8 language sql immutable as
  'select 1 - sum(a * b) / nullif(sqrt(sum(a * a)) * sqrt(sum(b * b)), 0) from unnest($1::float8[], $2::float8[]) as both_of (a, b)';
create operator <=> (leftarg = real[], rightarg = real[], function = cosine_distance);`

const countsOf = ({ nearest, ...counts }: SimilarStories) => [counts, nearest.length]
const LIMITED = `limited_${process.pid}`
const SETTINGS = { DATABASE_POOL_SIZE: 4, STATEMENT_TIMEOUT_MS: 10_000 }
let folder: string
let database: Database
let name: string
let watchdesk: Watchdesk
let stop: () => Promise<void>

async function majorVersion() {
  const client = new pg.Client(inject('postgres'))
  await client.connect()
  const { rows } = await client.query(`select current_setting('server_version_num')::int / 10000 as major`)
  await client.end()
  return Number(rows[0]?.major)
}

// Older versions look for extensions only in their own directory.
describe.skipIf((await majorVersion()) < 18)('if the database server has pgvector', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchdesk-extension-'))
    await mkdir(join(folder, 'extension'))
    await writeFile(join(folder, 'extension/vector.control'), `default_version = '1'\nsuperuser = true\n`)
    await writeFile(join(folder, 'extension/vector--1.sql'), EXTENSION)
    for (const path of ['', 'extension']) await chmod(join(folder, path), 0o755)
    const cloned = await cloneDatabase()
    name = String((await cloned.pool.query('select current_database() as name')).rows[0]?.name)
    await cloned.pool.query(`alter database ${name} set extension_control_path = '$system:${folder}'`)
    await cloned.pool.query(`create role ${LIMITED} login`)
    await cloned.close()
    database = connect({ ...inject('postgres'), database: name }, SETTINGS)
    ;({ watchdesk, stop } = await startWatchdesk({}, { database }))
    const stories = Array.from({ length: 2500 }, (_, n) => ({ story: `Story ${n % 40} of the flood in town ${n}` }))
    await insertNarrative(watchdesk, 1, stories)
    await insertNarrative(watchdesk, 2, stories.slice(0, 40))
    watchdesk.deps.vectorizing.start(() => {})
    for (const narrative_id of [1, 2]) {
      const body = { narrative_id, platforms: [], content_types: [] }
      await watchdesk.admin('POST', '/api/v1/airflow/vectorize-narrative', body)
    }
    await untilRunsEnd(watchdesk)
  })
  afterAll(async () => {
    await database.pool.query(`drop role ${LIMITED}`)
    await stop()
    await rm(folder, { recursive: true })
  })

  const similar = async (narrative: number) =>
    (
      await watchdesk.admin<SimilarStories>(
        'GET',
        `/api/v1/narratives/${narrative}/similar?text=the%20flood%20in%20town`,
      )
    ).body

  test('it is created at startup and by no call, and used as soon as it exists, with the same results', async () => {
    const before = [await similar(1), await similar(2)]
    expect(before.map(({ vectorized_count }) => vectorized_count)).toEqual([2500, 40])
    expect(await hasPgvector(database.pool)).toBe(false)

    const limited = connect({ ...inject('postgres'), user: LIMITED, database: name }, SETTINGS)
    expect(await preparePgvector(limited.pool)).toMatch(/Run "create extension vector" .* No restart is needed\.$/)
    await limited.close()
    expect(await hasPgvector(database.pool)).toBe(false)

    expect(await preparePgvector(database.pool)).toBeUndefined()
    expect(await hasPgvector(database.pool)).toBe(true)
    const [one, two] = [await similar(1), await similar(2)]
    expect([one, two].map(countsOf)).toEqual(before.map(countsOf))
    one.nearest.forEach(({ similarity }, at) => {
      expect(similarity).toBeCloseTo(before[0]?.nearest[at]?.similarity ?? Number.NaN, 5)
    })

    await database.pool.query('drop extension vector')
    expect([await similar(1), await similar(2)]).toEqual(before)
  })

  test('the vectors of other narratives are not read', async () => {
    await preparePgvector(database.pool)
    const reads = async () => {
      // Every connection buffers its own statistics for a while.
      const connections = Array.from({ length: SETTINGS.DATABASE_POOL_SIZE }, () => database.pool.connect())
      for (const connection of await Promise.all(connections)) {
        await connection.query('select pg_stat_force_next_flush()')
        connection.release()
      }
      const { rows } = await database.pool.query(
        `select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_user_tables where relname = 'story_vectors'`,
      )
      return Number(rows[0]?.rows)
    }
    const before = await reads()
    await similar(2)
    await expect.poll(reads).toBe(before + 40)
  })

  test('packed vectors are stored only if the server compares them', async () => {
    await preparePgvector(database.pool)
    await insertNarrative(watchdesk, 3, [{ story: 'The flood' }])
    const body = { narrative_id: 3, platforms: [], content_types: [] }
    await watchdesk.admin('POST', '/api/v1/airflow/vectorize-narrative', body)
    await untilRunsEnd(watchdesk)
    const { rows } = await database.pool.query(
      `select narrative_id, count(*)::int as vectors, count(packed)::int as packed
        from story_vectors join stories on id = story_id where narrative_id in (2, 3) group by 1 order by 1`,
    )
    expect(rows).toEqual([
      { narrative_id: 2, vectors: 40, packed: 40 },
      { narrative_id: 3, vectors: 1, packed: 0 },
    ])
    await database.pool.query('drop extension vector')
    expect((await similar(3)).vectorized_count).toBe(1)
  })
})

test('if the database server does not have it, the startup log says so', async () => {
  const plain = await cloneDatabase()
  expect(await preparePgvector(plain.pool)).toMatch(/^The database server does not have the pgvector extension/)
  await plain.close()
})
