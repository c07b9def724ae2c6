import { AirflowError } from './error.ts'

const MAX_ANSWER_BYTES = 1_048_576

export type Request = { method: 'GET' | 'POST'; url: string; headers?: Record<string, string>; body?: object }

/** `body` is undefined where the answer is no JSON. */
export type Answer = { status: number; body: unknown; retryAfterMs: number }

/** One request and its whole answer, bounded in time and size. Redirects are not followed: they would take the password along. */
export async function exchange({ method, url, headers, body }: Request, timeoutMs: number): Promise<Answer> {
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)))
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await readBounded(response)
    return { status: response.status, body: parsed(text), retryAfterMs: retryAfterMs(response.headers) }
  } catch (error) {
    throw error instanceof AirflowError ? error : networkError(error, url, signal.aborted)
  }
}

async function readBounded(response: Response) {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (size > MAX_ANSWER_BYTES) {
      throw new AirflowError(
        `Airflow at ${new URL(response.url).origin} sent an answer without an end. Check that AIRFLOW_URL is the address of Airflow.`,
        { mayHaveStarted: true },
      )
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function retryAfterMs(headers: Headers) {
  const seconds = Number(headers.get('retry-after'))
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
}

/** Failures before a connection stands: nothing was sent. */
const NOTHING_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

function networkError(error: unknown, url: string, isTimeout: boolean) {
  const { origin } = new URL(url)
  if (isTimeout) {
    return new AirflowError(`Airflow at ${origin} did not answer in time. Check that it is running, then try again.`, {
      mayHaveStarted: true,
      isPassing: true,
    })
  }
  const code = codeOf(error)
  return new AirflowError(
    `Airflow at ${origin} cannot be reached${code ? ` (${code})` : ''}. Check AIRFLOW_URL and that Airflow is running.`,
    { mayHaveStarted: !NOTHING_SENT.has(code), isPassing: true },
  )
}

/** fetch hides the reason in its cause, and there in a list where a host has several addresses. */
function codeOf(error: unknown): string {
  const { code, cause, errors } = Object(error)
  if (typeof code === 'string') return code
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  return cause === undefined ? '' : codeOf(cause)
}
