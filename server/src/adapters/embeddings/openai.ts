import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import { z } from 'zod'
import { backoffMs, HttpError, retry, sendRequest, withDeadline } from '../http.ts'
import { unit } from './lexical.ts'

const BATCH_SIZE = 32
const LIMIT_BYTES = 32 * 1024 * 1024
const TIMEOUT_MS = 20_000
const MIN_TIMEOUT_MS = 1000
const RETRY_FOR_MS = 20_000
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 10_000
const REASON_LENGTH = 200

const EmbeddingsBody = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1).max(16_384) })),
})
const ErrorBody = z.object({ error: z.object({ message: z.string() }) })

export type EmbedOptions = {
  /** How long to retry while the server is overloaded or cannot be reached. */
  retryForMs?: number
  signal?: AbortSignal
}

/** A failure of a model, with a message for users. */
export class EmbeddingsError extends Error {
  /** When a retry may succeed. Undefined: never. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

function delayMs(error: unknown, attempt: number) {
  if (!(error instanceof EmbeddingsError) || error.retryAfterMs === undefined) return
  return backoffMs(attempt, { firstMs: FIRST_DELAY_MS, maxMs: MAX_DELAY_MS, retryAfterMs: error.retryAfterMs })
}

/** Any server that is compatible with OpenAI's embeddings API. */
export function createOpenai({ url, key }: { url: string; key: string | undefined }) {
  const endpoint = `${withoutTrailingSlashes(url).replace(/\/v1$/, '')}/v1/embeddings`
  const server = `The embeddings server ${url && new URL(url).host}`
  return { batchSize: BATCH_SIZE, embed }

  async function embed(model: string, texts: string[], { retryForMs = RETRY_FOR_MS, signal }: EmbedOptions) {
    const endsAt = performance.now() + retryForMs
    const remainingMs = () => endsAt - performance.now()
    const attempt = () => request(model, texts, Math.max(MIN_TIMEOUT_MS, Math.min(TIMEOUT_MS, remainingMs())), signal)
    const vectors = await retry(attempt, { remainingMs, signal, delayMs })
    if (new Set(vectors.map(({ length }) => length)).size > 1) throw failure('returned vectors of different lengths')
    return vectors
  }

  async function request(model: string, texts: string[], timeoutMs: number, signal: AbortSignal | undefined) {
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const json = { model, input: texts, encoding_format: 'float' }
    const { status, retryAfterMs, body } = await withDeadline({ ms: timeoutMs, signal }, async (deadline) => {
      const response = await sendRequest('embeddings', endpoint, { method: 'POST', headers, json }, deadline.signal)
      return { ...response, body: await response.json(LIMIT_BYTES) }
    }).catch((error: unknown) => {
      throw error instanceof HttpError ? requestError(error) : error
    })
    // Not followed: the other server would receive the key.
    if (status >= 300 && status < 400) throw new EmbeddingsError(`${server} cannot be reached.`, 0)
    if (status < 200 || status >= 300) {
      const reason = reasonOf(status, body)
      const text = `${server} answered ${status}${reason && `: ${reason}`}.`
      throw new EmbeddingsError(text, status === 429 || status >= 500 ? retryAfterMs : undefined)
    }
    return readVectors(body, texts.length)
  }

  function readVectors(body: unknown, count: number) {
    const parsed = EmbeddingsBody.safeParse(body)
    if (!parsed.success) throw failure('did not return a list of embeddings')
    const data = parsed.data.data.sort((a, b) => a.index - b.index)
    if (data.length !== count || data.some(({ index }, place) => index !== place)) {
      throw failure(`did not return one embedding for each of ${count} texts`)
    }
    return data.map(({ embedding }) => unit(embedding))
  }

  /** Without the key, which a server may repeat. */
  function reasonOf(status: number, body: unknown) {
    if (status === 401 || status === 403) return 'EMBEDDINGS_API_KEY is not accepted'
    const message = ErrorBody.safeParse(body).data?.error.message ?? ''
    return (key ? message.replaceAll(key, '…') : message).slice(0, REASON_LENGTH)
  }

  function requestError({ kind }: HttpError) {
    if (kind === 'too_large') return failure('sent a response that is too long')
    return new EmbeddingsError(`${server} ${kind === 'timeout' ? 'did not answer in time' : 'cannot be reached'}.`, 0)
  }

  function failure(what: string) {
    return new EmbeddingsError(`${server} ${what}.`)
  }
}
