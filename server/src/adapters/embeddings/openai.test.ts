import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type EmbeddingsServer,
  embeddingsOf,
  REMOTE_MODEL,
  respondWithJson,
  respondWithVectors,
  startEmbeddingsServer,
} from '../../../test/helpers/embeddings-server.ts'
import { StartError } from '../../env.ts'
import { createEmbeddings, type Embeddings } from './embeddings.ts'
import { lexicalVector } from './lexical.ts'
import { EmbeddingsError } from './openai.ts'

const KEY = 'canary-of-the-embeddings-key'
const RETRY_TIME = { retryForMs: 1500 }

let server: EmbeddingsServer
let embeddings: Embeddings
let host: string

beforeAll(async () => {
  server = await startEmbeddingsServer()
  host = server.url.slice('http://'.length)
  embeddings = createEmbeddings({
    EMBEDDINGS_URL: `${server.url}/`,
    EMBEDDINGS_MODELS: `${REMOTE_MODEL}, other`,
    EMBEDDINGS_API_KEY: KEY,
  })
})
afterEach(() => {
  server.handler = respondWithVectors
  server.asked.length = 0
})
afterAll(async () => {
  await server.stop()
  await embeddings.close()
})

function texts(count: number) {
  return Array.from({ length: count }, (_, index) => `Text number ${index}`)
}

/** The error message, which never contains the key. */
async function failure(time = RETRY_TIME) {
  const error = await embeddings.embed(REMOTE_MODEL, texts(2), time).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(EmbeddingsError)
  expect(error.message).not.toContain(KEY)
  return error.message.replace(host, 'HOST')
}

test('texts are sent in one request, in batches of 32 at best, and their vectors are returned in order, with length 1', async () => {
  expect(embeddings.batchSize(REMOTE_MODEL)).toBe(32)
  const vectors = await embeddings.embed(REMOTE_MODEL, texts(32))
  expect(server.asked.map(({ model, input, encoding_format }) => [model, input.length, encoding_format])).toEqual([
    [REMOTE_MODEL, 32, 'float'],
  ])
  expect(vectors.length).toBe(32)
  vectors.forEach((vector, index) => {
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    expect(vector[100]).toBeCloseTo(lexicalVector(`Text number ${index}`)[100] ?? Number.NaN, 5)
  })
})

test('the key is sent as a bearer token', async () => {
  let authorization: string | undefined
  server.handler = (response, asked, request) => {
    authorization = request.headers.authorization
    respondWithVectors(response, asked)
  }
  await embeddings.embed(REMOTE_MODEL, texts(1))
  expect(authorization).toBe(`Bearer ${KEY}`)
})

test.each([429, 500, 502, 503])('it retries after %i, and succeeds', async (status) => {
  server.handler = (response) => {
    server.handler = respondWithVectors
    respondWithJson(response, status, { error: { message: 'busy' } })
  }
  expect((await embeddings.embed(REMOTE_MODEL, texts(3))).length).toBe(3)
  expect(server.asked.length).toBe(2)
})

test('it waits for the time in Retry-After', async () => {
  const times: number[] = []
  server.handler = (response) => {
    times.push(Date.now())
    server.handler = (later, asked) => {
      times.push(Date.now())
      respondWithVectors(later, asked)
    }
    respondWithJson(response, 429, {}, { 'retry-after': '1' })
  }
  await embeddings.embed(REMOTE_MODEL, texts(1))
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990)
})

test('a server that stays busy is reported when the time for retries ends, at once when it asks for longer', async () => {
  server.handler = (response) => respondWithJson(response, 503, { error: { message: 'The model is loading' } })
  expect(await failure()).toBe('The embeddings server HOST answered 503: The model is loading.')
  expect(server.asked.length).toBeGreaterThan(1)
  server.asked.length = 0
  server.handler = (response) => respondWithJson(response, 429, {}, { 'retry-after': '3600' })
  expect(await failure()).toBe('The embeddings server HOST answered 429.')
  expect(server.asked.length).toBe(1)
})

test.each([
  [400, { error: { message: `Input too long for ${KEY}` } }, 'answered 400: Input too long for ….'],
  [
    401,
    { error: { message: `Incorrect API key provided: ${KEY}` } },
    'answered 401: EMBEDDINGS_API_KEY is not accepted.',
  ],
  [404, 'no page', 'answered 404.'],
  [200, 'not a list', 'did not return a list of embeddings.'],
  [200, { data: [{ index: 0, embedding: [1, 'x'] }] }, 'did not return a list of embeddings.'],
  [200, { data: [{ index: 0, embedding: [1] }] }, 'did not return one embedding for each of 2 texts.'],
  [
    200,
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] },
      ],
    },
    'did not return one embedding for each of 2 texts.',
  ],
  [
    200,
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 7, embedding: [1] },
      ],
    },
    'did not return one embedding for each of 2 texts.',
  ],
  [
    200,
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [1, 2] },
      ],
    },
    'returned vectors of different lengths.',
  ],
])('a response with status %i and the body %j is reported without a retry', async (status, body, message) => {
  server.handler = (response) => respondWithJson(response, status, body)
  expect(await failure()).toBe(`The embeddings server HOST ${message}`)
  expect(server.asked.length).toBe(1)
})

test('truncated JSON is reported', async () => {
  server.handler = (response, asked) => response.end(JSON.stringify({ data: embeddingsOf(asked) }).slice(0, -40))
  expect(await failure()).toBe('The embeddings server HOST did not return a list of embeddings.')
})

test('an endless response is aborted and reported', async () => {
  server.handler = async (response) => {
    const block = '1,'.repeat(32_768)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"data":[')
    while (!response.destroyed) {
      if (!response.write(block)) await Promise.race([new Promise((done) => response.once('drain', done)), wait(50)])
    }
  }
  expect(await failure({ retryForMs: 20_000 })).toBe('The embeddings server HOST sent a response that is too long.')
})

test('a server that hangs, before or within its response, is reported when the time for retries ends', async () => {
  server.handler = () => {}
  expect(await failure()).toBe('The embeddings server HOST did not answer in time.')
  server.handler = (response) => response.writeHead(200).write('{"data":[')
  expect(await failure()).toBe('The embeddings server HOST did not answer in time.')
})

test('a broken connection, a redirect and an unreachable server are reported', async () => {
  server.handler = (response) => response.destroy()
  expect(await failure()).toBe('The embeddings server HOST cannot be reached.')
  server.handler = (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
  expect(await failure()).toBe('The embeddings server HOST cannot be reached.')
  const nowhere = createEmbeddings({ EMBEDDINGS_URL: 'http://127.0.0.1:1', EMBEDDINGS_MODELS: 'small' })
  await expect(nowhere.embed('small', ['text'], RETRY_TIME)).rejects.toThrow(
    'The embeddings server 127.0.0.1:1 cannot be reached.',
  )
})

test('an aborted caller does not wait for the response', async () => {
  const asking = new AbortController()
  server.handler = () => asking.abort()
  await expect(embeddings.embed(REMOTE_MODEL, texts(1), { signal: asking.signal })).rejects.toThrow('aborted')
})

test.each([
  [{ EMBEDDINGS_URL: 'http://x.example' }, 'Bad setting. EMBEDDINGS_MODELS: must list the models of EMBEDDINGS_URL'],
  [{ EMBEDDINGS_MODELS: 'small' }, 'Bad setting. EMBEDDINGS_URL: must be set when EMBEDDINGS_MODELS is set'],
  [
    { EMBEDDINGS_URL: 'http://x.example', EMBEDDINGS_MODELS: 'small,,large' },
    'Bad setting. EMBEDDINGS_MODELS: must be different names, separated by commas',
  ],
  [
    { EMBEDDINGS_URL: 'http://x.example', EMBEDDINGS_MODELS: 'small, small' },
    'Bad setting. EMBEDDINGS_MODELS: must be different names, separated by commas',
  ],
  [
    { EMBEDDINGS_URL: 'http://x.example', EMBEDDINGS_MODELS: 'lexical' },
    'Bad setting. EMBEDDINGS_MODELS: lexical is the name of the built-in model',
  ],
])('%j stops the start', (settings, message) => {
  expect(() => createEmbeddings(settings)).toThrow(new StartError(message))
})
