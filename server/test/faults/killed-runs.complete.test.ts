import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { REMOTE_MODEL, respondWithVectors, startEmbeddingsServer } from '../helpers/embeddings-server.ts'
import { insertNarrative, untilRunsEnd } from '../helpers/narratives.ts'
import { type Replica, startReplica } from '../helpers/replica.ts'
import { useWatchdesk } from '../helpers/watchdesk.ts'

/** Each kill waits for a lease to expire: the twenty of `npm run crash` take about ten minutes. */
const KILLS = Number(process.env.KILLS ?? 1)
const URL = '/api/v1/airflow/vectorize-narrative'
const WITHIN_MS = 30_000

const server = await startEmbeddingsServer()
const settings = { EMBEDDINGS_URL: server.url, EMBEDDINGS_MODELS: REMOTE_MODEL }
const watchdesk = useWatchdesk(settings)
let replicas: Replica[] = []

beforeEach(async () => {
  server.asked.length = 0
  server.handler = async (response, asked) => {
    // Slow enough for a kill in the middle of a run.
    await wait(30)
    respondWithVectors(response, asked)
  }
  await watchdesk.admin('PATCH', '/api/v1/config/website_config', { default_stories_vectors_model: REMOTE_MODEL })
})
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.stop('SIGKILL').catch(() => {})))
  replicas = []
})
afterAll(() => server.stop())

async function start() {
  const replica = await startReplica(watchdesk, settings)
  replicas.push(replica)
  return replica
}

async function trigger(narrative_id: number) {
  const body = { narrative_id, platforms: [], content_types: [] }
  expect((await watchdesk.admin('POST', URL, body)).status).toBe(200)
}

async function kill(replica: Replica) {
  replicas = replicas.filter((each) => each !== replica)
  await replica.stop('SIGKILL')
}

function stories(count: number) {
  return Array.from({ length: count }, (_, index) => ({ story: `Story number ${index}` }))
}

/** Waits for this many more requests to the model. */
async function untilAsked(times: number) {
  const wanted = server.asked.length + times
  while (server.asked.length < wanted) await wait(5)
}

async function outcomes(narratives: number[]) {
  const { rows } = await watchdesk.database.pool.query(
    `select status, done_count, stories_count, (select count(*) from story_vectors join stories on stories.id = story_id
       where stories.narrative_id = runs.narrative_id and story_vectors.model = runs.model) as vectors
     from vectorization_runs runs where narrative_id = any($1)`,
    [narratives],
  )
  return rows
}

const done = (count: number) => ({ status: 'success', done_count: count, stories_count: count, vectors: count })

test('with two servers, one of which is killed, twenty runs all finish in time', async () => {
  const narratives = Array.from({ length: 20 }, (_, index) => 100 + index)
  for (const id of narratives) await insertNarrative(watchdesk, id, stories(96))
  const [first] = [await start(), await start()]
  for (const id of narratives) await trigger(id)
  await untilAsked(15)
  await kill(first)
  await start()
  await untilRunsEnd(watchdesk, WITHIN_MS)
  expect(await outcomes(narratives)).toEqual(narratives.map(() => done(96)))
})

test(
  `a run whose server is killed ${KILLS} times resumes each time and succeeds`,
  async () => {
    const size = 64 * (KILLS + 2)
    await insertNarrative(watchdesk, 1, stories(size))
    let replica = await start()
    await trigger(1)
    for (let count = 0; count < KILLS; count += 1) {
      await untilAsked(2)
      await kill(replica)
      const before = server.asked.length
      replica = await start()
      const restarted = Date.now()
      while (server.asked.length === before) await wait(20)
      expect(Date.now() - restarted).toBeLessThan(WITHIN_MS)
    }
    await untilRunsEnd(watchdesk, WITHIN_MS)
    expect(await outcomes([1])).toEqual([done(size)])
  },
  60_000 + KILLS * 40_000,
)

test('a stopping server releases its run, and another server resumes it immediately', async () => {
  await insertNarrative(watchdesk, 2, stories(640))
  const first = await start()
  await trigger(2)
  await untilAsked(2)
  replicas = []
  expect(await first.stop()).toBe(0)
  const { rows } = await watchdesk.database.pool.query(
    `select status, leased_by from vectorization_runs where narrative_id = 2`,
  )
  expect(rows).toEqual([{ status: 'queued', leased_by: null }])
  await start()
  await untilRunsEnd(watchdesk)
  expect(await outcomes([2])).toEqual([done(640)])
})
