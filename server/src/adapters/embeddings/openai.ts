import { setTimeout as wait } from 'node:timers/promises'
import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import { EmbeddingsError } from './error.ts'
import { unit } from './lexical.ts'
import { Garbled, Refusal, readAnswer } from './openai-answer.ts'

const BATCH = 32
const ANSWER_MS = 20_000
const PATIENCE_MS = 20_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000

export type EmbedOptions = {
  /** How long to try again while a server is overloaded or out of reach. */
  patienceMs?: number
  signal?: AbortSignal
}

/** A failure that may pass, with the seconds that the server asked us to wait. */
class Passing extends EmbeddingsError {
  readonly waitMs: number
  constructor(message: string, waitMs = 0) {
    super(message)
    this.waitMs = waitMs
  }
}

/** Any server with OpenAI's call for embeddings. */
export function createOpenai({ url, key }: { url: string; key: string | undefined }) {
  const endpoint = `${withoutTrailingSlashes(url).replace(/\/v1$/, '')}/v1/embeddings`
  const server = `The embeddings server ${url && new URL(url).host}`
  return { batchSize: BATCH, embed }

  async function embed(model: string, texts: string[], { patienceMs = PATIENCE_MS, signal }: EmbedOptions) {
    const deadline = Date.now() + patienceMs
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += BATCH) {
      vectors.push(...(await embedPatiently(model, texts.slice(from, from + BATCH), deadline, signal)))
    }
    if (new Set(vectors.map(({ length }) => length)).size > 1) throw told('answered vectors of different lengths')
    return vectors
  }

  async function embedPatiently(model: string, texts: string[], deadline: number, signal: AbortSignal | undefined) {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await request(model, texts, deadline, signal)
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof Passing)) throw error
        const waitMs = Math.max(pause, error.waitMs)
        if (Date.now() + waitMs > deadline) throw new EmbeddingsError(error.message)
        await wait(waitMs, undefined, { signal })
      }
    }
  }

  async function request(model: string, texts: string[], deadline: number, signal: AbortSignal | undefined) {
    const timeout = AbortSignal.timeout(Math.max(1000, Math.min(ANSWER_MS, deadline - Date.now())))
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      const vectors = await readAnswer(response, texts.length)
      return vectors.map(unit)
    } catch (error) {
      signal?.throwIfAborted()
      if (timeout.aborted) throw new Passing(`${server} did not answer in time.`)
      throw asTold(error)
    }
  }

  function asTold(error: unknown) {
    if (error instanceof Refusal) {
      const isPassing = error.status === 429 || error.status >= 500
      const text = `${server} answered ${error.status}${error.reason && `: ${withoutKey(error.reason)}`}.`
      return isPassing ? new Passing(text, error.waitMs) : new EmbeddingsError(text)
    }
    if (error instanceof Garbled) return told(error.message)
    return new Passing(`${server} cannot be reached.`)
  }

  function told(what: string) {
    return new EmbeddingsError(`${server} ${what}.`)
  }

  function withoutKey(text: string) {
    return key ? text.replaceAll(key, '…') : text
  }
}
