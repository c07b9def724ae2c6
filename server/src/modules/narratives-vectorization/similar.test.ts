import { errorText } from '@watchdesk/contract/errors'
import type { SimilarStories } from '@watchdesk/contract/narratives-vectorization'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  REMOTE_MODEL,
  respondWithJson,
  respondWithVectors,
  startEmbeddingsServer,
} from '../../../test/helpers/embeddings-server.ts'
import { during } from '../../../test/helpers/locks.ts'
import { insertNarrative, untilRunsEnd } from '../../../test/helpers/narratives.ts'
import { useWatchdesk } from '../../../test/helpers/watchdesk.ts'
import { lexicalVector } from '../../adapters/embeddings/lexical.ts'
import { createDice } from '../../commands/demo-data.ts'
import { makeStories } from '../../commands/demo-stories.ts'

const TEXT = 'Банки в Полтаві з понеділка видаватимуть готівкою не більше гривень на день.'

const server = await startEmbeddingsServer()
const log: string[] = []
const settings = { EMBEDDINGS_URL: server.url, EMBEDDINGS_MODELS: REMOTE_MODEL, LOG_LEVEL: 'error' }
const watchdesk = useWatchdesk(settings, { logStream: { write: (line) => void log.push(line) }, isListening: true })
// More than one statement reads.
const stories = [1, 2, 3].flatMap((seed) => makeStories(createDice(seed)).map(({ story }) => ({ story })))

beforeAll(async () => {
  await insertNarrative(watchdesk, 1, stories)
  await insertNarrative(watchdesk, 2, [{ story: TEXT }])
  await insertNarrative(watchdesk, 3, [])
  watchdesk.deps.vectorizing.start(() => {})
  for (const narrative_id of [1, 2]) {
    await watchdesk.admin('POST', '/api/v1/airflow/vectorize-narrative', {
      narrative_id,
      platforms: [],
      content_types: [],
    })
  }
  await untilRunsEnd(watchdesk)
})
afterAll(() => server.stop())

function ask(id: number, query: Record<string, string>) {
  return watchdesk.admin<SimilarStories>('GET', `/api/v1/narratives/${id}/similar?${new URLSearchParams(query)}`)
}

/** The expected result, computed from the texts. */
const expected = stories
  .map(({ story }) => {
    const [one, other] = [lexicalVector(TEXT), lexicalVector(story)]
    const cosine = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
    return { story, similarity: Math.round(cosine * 1e6) / 1e6 }
  })
  .sort((a, b) => b.similarity - a.similarity)

const passing = (threshold: number) => expected.filter(({ similarity }) => similarity >= threshold).length

test('the most similar stories come first, with the number that reach each step of the slider', async () => {
  const { status, body } = await ask(1, { text: TEXT, threshold: '0.35', limit: '25' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ narrative_id: 1, model: 'lexical', vectorized_count: stories.length })
  expect(body.passing_count).toBe(passing(0.35))
  expect(body.passing_counts).toEqual(Array.from({ length: 21 }, (_, step) => passing(step / 20)))
  expect(body.nearest.length).toBe(25)
  body.nearest.forEach(({ similarity }, index) => {
    expect(similarity).toBeCloseTo(expected[index]?.similarity ?? Number.NaN, 5)
  })
  expect(body.nearest[0]).toMatchObject({ story: expected[0]?.story, message_composite_id: expect.any(String) })
})

test('the same text scores exactly 1, whatever its case, and reaches every step', async () => {
  const { body } = await ask(2, { text: TEXT.toUpperCase() })
  expect(body.nearest).toMatchObject([{ story: TEXT, similarity: 1 }])
  expect([body.passing_count, body.passing_counts]).toEqual([1, Array(21).fill(1)])
})

test('a narrative without vectors has no results; the default number of results is ten', async () => {
  expect((await ask(3, { text: TEXT })).body).toEqual({
    narrative_id: 3,
    model: 'lexical',
    vectorized_count: 0,
    passing_count: 0,
    passing_counts: Array(21).fill(0),
    nearest: [],
  })
  expect((await ask(1, { text: TEXT })).body.nearest.length).toBe(10)
})

test('a text without letters is similar to nothing', async () => {
  const { body } = await ask(2, { text: '!!!' })
  expect(body.nearest).toMatchObject([{ similarity: 0 }])
  expect(body.passing_counts).toEqual([1, ...Array(20).fill(0)])
})

test('vectors of another length, of an earlier model of the same name, are left out', async () => {
  await insertNarrative(watchdesk, 4, [{ story: 'old' }, { story: 'new' }])
  await watchdesk.database.pool.query(
    `insert into story_vectors select id, 'lexical', array[1, 0]::real[] from stories where narrative_id = 4`,
  )
  expect((await ask(4, { text: 'old' })).body).toMatchObject({ vectorized_count: 0, nearest: [] })
})

test('with many concurrent calls, most connections stay free, and calls beyond the limit are rejected', async () => {
  const { pool } = watchdesk.database
  const answers = await during(pool, 'lock table story_vectors in access exclusive mode', async () => {
    const asked = Array.from({ length: 15 }, () => ask(1, { text: TEXT }))
    expect(await Promise.race(asked)).toMatchObject({
      status: 503,
      body: { detail: 'Too many comparisons are running. Try again in a minute.' },
    })
    expect((await watchdesk.admin('GET', '/api/v1/users/me')).status).toBe(200)
    expect(pool.totalCount - pool.idleCount).toBeLessThanOrEqual(3)
    return asked
  })
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(14)
})

test.each([
  [{}, 422, /^text: Invalid input/],
  [{ text: '  ' }, 422, 'Text is required'],
  [{ text: 'x', threshold: '1.5' }, 422, 'threshold: Must be a number from 0 to 1.'],
  [{ text: 'x', limit: '101' }, 422, /^limit: Too big/],
])('%j is %i', async (query, expectedStatus, message) => {
  const { status, body } = await ask(1, query as Record<string, string>)
  expect(status).toBe(expectedStatus)
  expect(errorText(body)).toMatch(message)
})

test('an unknown narrative is 404', async () => {
  const { status, body } = await ask(77, { text: TEXT })
  expect([status, errorText(body)]).toEqual([404, 'Narrative not found.'])
})

test('if the model fails, the response has the reason', async () => {
  const { id } = await watchdesk.createWorkspace({ stories_vectors_model: REMOTE_MODEL })
  const { call } = await watchdesk.createPerson({ workspace_id: id, is_super_admin: true })
  server.handler = (response) => respondWithJson(response, 400, { error: { message: 'Input too long' } })
  const response = await call('GET', '/api/v1/narratives/2/similar?text=x')
  const host = server.url.slice('http://'.length)
  expect([response.status, errorText(response.body)]).toEqual([
    502,
    `The embeddings server ${host} answered 400: Input too long.`,
  ])
  server.handler = respondWithVectors
  const { body } = await call('GET', '/api/v1/narratives/2/similar?text=x')
  expect(body).toMatchObject({ model: REMOTE_MODEL, vectorized_count: 0 })
})

test('a client that disconnects while the model runs causes no server error', async () => {
  const { id } = await watchdesk.createWorkspace({ stories_vectors_model: REMOTE_MODEL })
  const { call: person } = await watchdesk.createPerson({ workspace_id: id, is_super_admin: true })
  log.length = 0
  const client = new AbortController()
  const isGone = new Promise((resolve) => {
    server.handler = (response) => {
      response.on('close', resolve)
      client.abort()
    }
  })
  const headers = { authorization: `Bearer ${person.token}` }
  const call = fetch(`${watchdesk.url}/api/v1/narratives/2/similar?text=x`, { headers, signal: client.signal })
  await expect(call).rejects.toThrow('aborted')
  await isGone
  server.handler = respondWithVectors
  expect((await fetch(`${watchdesk.url}/api/v1/narratives/2/similar?text=x`, { headers })).status).toBe(200)
  expect(log).toEqual([])
})
