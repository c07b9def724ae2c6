import { z } from 'zod'

const MOST_BYTES = 32 * 1024 * 1024
const REASON_LENGTH = 200

const Answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1).max(16_384) })),
})
const Reason = z.object({ error: z.object({ message: z.string() }) })

/** An answer of no success. */
export class Refusal extends Error {
  readonly status: number
  readonly reason: string
  readonly waitMs: number
  constructor(status: number, reason: string, waitMs: number) {
    super(reason)
    this.status = status
    this.reason = reason
    this.waitMs = waitMs
  }
}

/** An answer of success that says nothing of use. */
export class Garbled extends Error {}

/** The embeddings in the order of their texts, exactly one for each. */
export async function readAnswer(response: Response, count: number): Promise<number[][]> {
  const text = await readText(response)
  if (!response.ok) throw new Refusal(response.status, reasonOf(response.status, text), waitOf(response))
  const parsed = Answer.safeParse(parseJson(text))
  if (!parsed.success) throw new Garbled('answered something that is no list of embeddings')
  const data = parsed.data.data.sort((a, b) => a.index - b.index)
  if (data.length !== count || data.some(({ index }, place) => index !== place)) {
    throw new Garbled(`did not answer one embedding for each of ${count} texts`)
  }
  const vectors = data.map(({ embedding }) => embedding)
  if (new Set(vectors.map(({ length }) => length)).size > 1) throw new Garbled('answered vectors of different lengths')
  return vectors
}

async function readText(response: Response) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Garbled('sent an answer without end')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** What a refused key is told may repeat the key: that is left out. */
function reasonOf(status: number, text: string) {
  if (status === 401 || status === 403) return 'EMBEDDINGS_API_KEY is not accepted'
  const parsed = Reason.safeParse(parseJson(text))
  return parsed.success ? parsed.data.error.message.slice(0, REASON_LENGTH) : ''
}

function waitOf({ headers }: Response) {
  const asked = headers.get('retry-after') ?? ''
  if (/^\d{1,6}(\.\d+)?$/.test(asked)) return Number(asked) * 1000
  return Math.max(0, Date.parse(asked) - Date.now()) || 0
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
