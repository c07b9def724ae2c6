import { randomUUID } from 'node:crypto'
import type { Run } from '@watchdesk/contract/narratives-vectorization'
import type { Page } from '@watchdesk/contract/page'
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest'
import {
  holdUp,
  REMOTE_MODEL,
  respondWithJson,
  respondWithVectors,
  startEmbeddingsServer,
} from '../../../test/helpers/embeddings-server.ts'
import { insertNarrative, untilRunsEnd } from '../../../test/helpers/narratives.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { createEmbeddings } from '../../adapters/embeddings/embeddings.ts'
import { lexicalVector } from '../../adapters/embeddings/lexical.ts'
import { connect } from '../../db/open.ts'
import type { Runner } from '../../jobs/runner.ts'
import { createVectorizing } from './vectorize.ts'

const URL = '/api/v1/airflow/vectorize-narrative'

const server = await startEmbeddingsServer()
const settings = { EMBEDDINGS_URL: server.url, EMBEDDINGS_MODELS: REMOTE_MODEL }
const watchdesk = useWatchdesk(settings)
const embeddings = createEmbeddings(settings)
let replicas: Runner[] = []
let narrative_id = 0

beforeEach(async () => {
  narrative_id += 1
  server.handler = respondWithVectors
  await chooseModel('lexical')
})
afterAll(async () => {
  await server.stop()
  await embeddings.close()
})
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()))
  replicas = []
})

/** A separate server, as far as runs are concerned. */
function start(onError: (error: unknown) => void = () => {}, db = watchdesk.database.db) {
  const replica = createVectorizing(db, embeddings)
  replica.start(onError)
  replicas.push(replica)
  return replica
}

async function chooseModel(default_stories_vectors_model: string) {
  const { status } = await watchdesk.admin('PATCH', '/api/v1/config/website_config', { default_stories_vectors_model })
  expect(status).toBe(200)
}

function texts(count: number) {
  return Array.from({ length: count }, (_, index) => ({ story: `Story number ${index} of the narrative` }))
}

async function trigger(body: object = {}) {
  const all = { narrative_id, platforms: [], content_types: [], ...body }
  const response = await watchdesk.admin<{ execution_date: string }>('POST', URL, all)
  expect(response.status).toBe(200)
  return response.body.execution_date
}

async function runOf(date: string) {
  const { objects } = (await watchdesk.admin<Page<Run>>('GET', `${URL}?page_size=100`)).body
  return objects.find((run) => run.execution_date === date)
}

async function vectors(id = narrative_id) {
  const { rows } = await watchdesk.database.pool.query<{ story: string; model: string; vector: number[] }>(
    `select story, model, vector from story_vectors join stories on stories.id = story_id where narrative_id = $1 order by id`,
    [id],
  )
  return rows
}

test('a run embeds every story of its narrative and ends in success', async () => {
  await insertNarrative(watchdesk, narrative_id, texts(1234))
  const date = await trigger()
  start()
  await untilRunsEnd(watchdesk)
  expect(await runOf(date)).toMatchObject({ status: 'success', stories_count: 1234, done_count: 1234, error: null })
  const rows = await vectors()
  expect(rows.length).toBe(1234)
  expect(rows[777]).toMatchObject({ story: 'Story number 777 of the narrative', model: 'lexical' })
  expect(Float32Array.from(rows[777]?.vector ?? [])).toEqual(lexicalVector('Story number 777 of the narrative'))
})

test('only stories of the chosen platforms and content types are embedded', async () => {
  await insertNarrative(watchdesk, narrative_id, [
    { story: 'telegram post', platform: 'TELEGRAM', content_type: 'POST' },
    { story: 'telegram comment', platform: 'TELEGRAM', content_type: 'COMMENT' },
    { story: 'vk post', platform: 'VK', content_type: 'POST' },
    { story: 'unknown' },
  ])
  await trigger({ platforms: ['TELEGRAM', 'OK'], content_types: ['POST'] })
  start()
  await untilRunsEnd(watchdesk)
  expect((await vectors()).map(({ story }) => story)).toEqual(['telegram post'])
  const date = await trigger({ content_types: ['POST'] })
  await untilRunsEnd(watchdesk)
  expect((await vectors()).map(({ story }) => story)).toEqual(['telegram post', 'vk post'])
  expect(await runOf(date)).toMatchObject({ stories_count: 2, done_count: 2 })
})

test('a run of a narrative without stories succeeds', async () => {
  await insertNarrative(watchdesk, narrative_id, [])
  const date = await trigger()
  start()
  await untilRunsEnd(watchdesk)
  expect(await runOf(date)).toMatchObject({ status: 'success', stories_count: 0, done_count: 0 })
})

test('stories longer than a batch each get a vector', async () => {
  await insertNarrative(
    watchdesk,
    narrative_id,
    Array.from({ length: 3 }, (_, index) => ({ story: `${index} ${' '.repeat(2_100_000)}` })),
  )
  const date = await trigger()
  start()
  await untilRunsEnd(watchdesk)
  expect(await runOf(date)).toMatchObject({ status: 'success', stories_count: 3, done_count: 3 })
  expect((await vectors()).length).toBe(3)
})

const SIZES = [1, 40, 100, 560]

test('eight runs on two servers are each executed once', async () => {
  const { pool } = watchdesk.database
  await pool.query(`create table written (story_id bigint);
    create function note_written() returns trigger language plpgsql as $$
      begin insert into written values (new.story_id); return null; end $$;
    create trigger note_written after insert or update on story_vectors for each row execute function note_written()`)
  const first = narrative_id * 1000
  for (let index = 0; index < 8; index += 1)
    await insertNarrative(watchdesk, first + index, texts(SIZES[index % 4] ?? 0))
  start()
  start()
  const dates = await Promise.all(Array.from({ length: 8 }, (_, index) => trigger({ narrative_id: first + index })))
  await untilRunsEnd(watchdesk)
  for (const date of dates) expect(await runOf(date)).toMatchObject({ status: 'success' })
  const { rows } = await pool.query(
    `select count(*)::int as writes, count(distinct story_id)::int as stories from written`,
  )
  const stories = 2 * SIZES.reduce((sum, size) => sum + size)
  expect(rows).toEqual([{ writes: stories, stories }])
  await pool.query('drop trigger note_written on story_vectors')
})

test('a run whose server died resumes after its last batch, not from the start', async () => {
  await insertNarrative(watchdesk, narrative_id, texts(1100))
  const date = await trigger()
  await watchdesk.database.pool.query(
    `update vectorization_runs set status = 'running', leased_by = $1, leased_until = now() - interval '1 second', attempts = 1,
       stories_count = 1100, done_count = 600, last_story_id = (select id from stories where narrative_id = $2 order by id offset 599 limit 1)
     where narrative_id = $2`,
    [randomUUID(), narrative_id],
  )
  start()
  await untilRunsEnd(watchdesk)
  expect(await runOf(date)).toMatchObject({ status: 'success', done_count: 1100, stories_count: 1100 })
  const rows = await vectors()
  expect([rows.length, rows[0]?.story]).toEqual([500, 'Story number 600 of the narrative'])
})

test('a run leased by another server is left alone', async () => {
  await insertNarrative(watchdesk, narrative_id, texts(3))
  await trigger()
  const { pool } = watchdesk.database
  const hold = `update vectorization_runs set status = 'running', leased_by = $1, leased_until = now() + $2::interval where narrative_id = $3`
  await pool.query(hold, [randomUUID(), '1 hour', narrative_id])
  const held = narrative_id
  start()
  narrative_id += 1
  await insertNarrative(watchdesk, narrative_id, texts(3))
  const other = await trigger()
  await expect.poll(async () => (await runOf(other))?.status, { timeout: 10_000 }).toBe('success')
  expect(await vectors(held)).toEqual([])
  await pool.query(hold, [randomUUID(), '-1 second', held])
  await untilRunsEnd(watchdesk)
  expect((await vectors(held)).length).toBe(3)
})

test('a run that crashed its server three times at the same place is marked as failed with a reason', async () => {
  await insertNarrative(watchdesk, narrative_id, texts(3))
  const date = await trigger()
  await watchdesk.database.pool.query(
    `update vectorization_runs set status = 'running', leased_by = $1, leased_until = now() - interval '1 second', attempts = 3 where narrative_id = $2`,
    [randomUUID(), narrative_id],
  )
  start()
  await untilRunsEnd(watchdesk)
  const error = 'The server stopped 3 times while vectorizing the same stories. Its log has the details.'
  expect(await runOf(date)).toMatchObject({ status: 'failed', error, finished_at: expect.any(String) })
  expect(await vectors()).toEqual([])
})

test('a stopping server releases its run immediately, and the next one finishes it', async () => {
  await insertNarrative(watchdesk, narrative_id, texts(100))
  await chooseModel(REMOTE_MODEL)
  const date = await trigger()
  const { begun, release } = holdUp(server)
  const replica = start()
  await begun
  expect(await runOf(date)).toMatchObject({ status: 'running', started_at: expect.any(String) })
  await replica.stop()
  release()
  expect(await runOf(date)).toMatchObject({ status: 'queued', done_count: 0 })
  start()
  await untilRunsEnd(watchdesk)
  expect(await runOf(date)).toMatchObject({ status: 'success', done_count: 100 })
})

test('a server that lost the lease of its run stops writing', async () => {
  await insertNarrative(watchdesk, narrative_id, texts(10))
  await chooseModel(REMOTE_MODEL)
  const date = await trigger()
  const { begun, release } = holdUp(server)
  start()
  await begun
  await watchdesk.database.pool.query(
    `update vectorization_runs set leased_by = $1, leased_until = now() + interval '1 hour' where narrative_id = $2`,
    [randomUUID(), narrative_id],
  )
  release()
  const lost = narrative_id
  narrative_id += 1
  await insertNarrative(watchdesk, narrative_id, texts(3))
  const next = await trigger()
  await expect.poll(async () => (await runOf(next))?.status, { timeout: 10_000 }).toBe('success')
  expect(await runOf(date)).toMatchObject({ status: 'running', done_count: 0 })
  expect(await vectors(lost)).toEqual([])
  await watchdesk.database.pool.query(`update vectorization_runs set leased_until = now() where narrative_id = $1`, [
    lost,
  ])
  await untilRunsEnd(watchdesk)
  expect((await vectors(lost)).length).toBe(10)
})

test('a run whose model fails is marked as failed with the reason', async () => {
  await insertNarrative(watchdesk, narrative_id, texts(3))
  await chooseModel(REMOTE_MODEL)
  const date = await trigger()
  server.handler = (response) => respondWithJson(response, 400, { error: { message: 'Input too long' } })
  const errors: unknown[] = []
  start((error) => errors.push(error))
  await untilRunsEnd(watchdesk)
  const error = `The embeddings server ${server.url.slice('http://'.length)} answered 400: Input too long.`
  expect(await runOf(date)).toMatchObject({ status: 'failed', error })
  const status = await watchdesk.admin('GET', `${URL}/${date}`)
  expect(status.body).toEqual({ status: 'failed', error })
  expect(errors).toEqual([])
})

test('stories that are deleted while they are embedded are skipped', async () => {
  await insertNarrative(watchdesk, narrative_id, texts(10))
  await chooseModel(REMOTE_MODEL)
  const date = await trigger()
  const { begun, release } = holdUp(server)
  start()
  await begun
  await watchdesk.database.pool.query(
    `delete from stories where id in (select id from stories where narrative_id = $1 limit 4)`,
    [narrative_id],
  )
  release()
  await untilRunsEnd(watchdesk)
  expect(await runOf(date)).toMatchObject({ status: 'success' })
  expect((await vectors()).length).toBe(6)
})

test('a run that waits for an import longer than the statement timeout resumes by itself', async () => {
  await insertNarrative(watchdesk, narrative_id, texts(5))
  const date = await trigger()
  const connection = { ...inject('postgres'), database: watchdesk.database.pool.options.database }
  const impatient = connect(connection, { DATABASE_POOL_SIZE: 4, STATEMENT_TIMEOUT_MS: 1000 })
  const importing = await watchdesk.database.pool.connect()
  await importing.query('begin')
  await importing.query('delete from stories where narrative_id = $1 and story like $2', [narrative_id, '%2%'])
  const error = await new Promise((resolve) => start(resolve, impatient.db))
  await importing.query('rollback')
  importing.release()
  await untilRunsEnd(watchdesk)
  expect(error).toMatchObject({ code: '57014' })
  expect(await runOf(date)).toMatchObject({ status: 'success', done_count: 5 })
  await Promise.all(replicas.map((replica) => replica.stop()))
  await impatient.close()
})
