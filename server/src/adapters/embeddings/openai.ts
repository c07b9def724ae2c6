import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import { z } from 'zod'
import { backoffMs, HttpError, retry, sendRequest, withDeadline } from '../http.ts'
import { EmbeddingsError } from './error.ts'
import { unit } from './lexical.ts'

const BATCH = 32
const LIMIT_BYTES = 32 * 1024 * 1024
const TIMEOUT_MS = 20_000
const MIN_TIMEOUT_MS = 1000
const PATIENCE_MS = 20_000
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 10_000
const REASON_LENGTH = 200

const Answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1).max(16_384) })),
})
const Reason = z.object({ error: z.object({ message: z.string() }) })

export type EmbedOptions = {
  /** How long to try again while a server is overloaded or out of reach. */
  patienceMs?: number
  signal?: AbortSignal
}

/** A failure that may pass. */
class Passing extends EmbeddingsError {
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

function delayMs(error: unknown, attempt: number) {
  if (!(error instanceof Passing)) return
  return backoffMs(attempt, { firstMs: FIRST_DELAY_MS, maxMs: MAX_DELAY_MS, retryAfterMs: error.retryAfterMs })
}

/** Any server with OpenAI's call for embeddings. */
export function createOpenai({ url, key }: { url: string; key: string | undefined }) {
  const endpoint = `${withoutTrailingSlashes(url).replace(/\/v1$/, '')}/v1/embeddings`
  const server = `The embeddings server ${url && new URL(url).host}`
  return { batchSize: BATCH, embed }

  async function embed(model: string, texts: string[], { patienceMs = PATIENCE_MS, signal }: EmbedOptions) {
    const endsAt = performance.now() + patienceMs
    const remainingMs = () => endsAt - performance.now()
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += BATCH) {
      const batch = texts.slice(from, from + BATCH)
      const attempt = () => request(model, batch, Math.max(MIN_TIMEOUT_MS, Math.min(TIMEOUT_MS, remainingMs())), signal)
      vectors.push(...(await retry(attempt, { remainingMs, signal, delayMs })))
    }
    if (new Set(vectors.map(({ length }) => length)).size > 1) throw told('answered vectors of different lengths')
    return vectors
  }

  async function request(model: string, texts: string[], timeoutMs: number, signal: AbortSignal | undefined) {
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const json = { model, input: texts, encoding_format: 'float' }
    const { status, retryAfterMs, body } = await withDeadline({ ms: timeoutMs, signal }, async (deadline) => {
      const response = await sendRequest('embeddings', endpoint, { method: 'POST', headers, json }, deadline.signal)
      return { ...response, body: await response.json(LIMIT_BYTES) }
    }).catch((error: unknown) => {
      throw error instanceof HttpError ? noAnswer(error) : error
    })
    // Following it would take the key along.
    if (status >= 300 && status < 400) throw new Passing(`${server} cannot be reached.`)
    if (status < 200 || status >= 300) {
      const reason = reasonOf(status, body)
      const text = `${server} answered ${status}${reason && `: ${reason}`}.`
      throw status === 429 || status >= 500 ? new Passing(text, retryAfterMs) : new EmbeddingsError(text)
    }
    return readVectors(body, texts.length)
  }

  /** In the order of their texts, exactly one for each. */
  function readVectors(body: unknown, count: number) {
    const parsed = Answer.safeParse(body)
    if (!parsed.success) throw told('answered something that is no list of embeddings')
    const data = parsed.data.data.sort((a, b) => a.index - b.index)
    if (data.length !== count || data.some(({ index }, place) => index !== place)) {
      throw told(`did not answer one embedding for each of ${count} texts`)
    }
    return data.map(({ embedding }) => unit(embedding))
  }

  /** Never with the key, which a server may repeat. */
  function reasonOf(status: number, body: unknown) {
    if (status === 401 || status === 403) return 'EMBEDDINGS_API_KEY is not accepted'
    const message = Reason.safeParse(body).data?.error.message ?? ''
    return (key ? message.replaceAll(key, '…') : message).slice(0, REASON_LENGTH)
  }

  function noAnswer({ kind }: HttpError) {
    if (kind === 'too_large') return told('sent an answer without end')
    return new Passing(`${server} ${kind === 'timeout' ? 'did not answer in time' : 'cannot be reached'}.`)
  }

  function told(what: string) {
    return new EmbeddingsError(`${server} ${what}.`)
  }
}
