import type { Endpoint, EndpointSchema } from '@watchdesk/contract/endpoint'
import { type Answer, ApiError, call, type Fetch, type Given } from './call.ts'

/** Bytes on their way: of the whole request, which is a little more than its file. */
export type Progress = { loaded: number; total: number }

type OnProgress = (progress: Progress) => void

/** Calls the endpoint as `call` does, and tells how much of the body is sent; `fetch` cannot. */
export async function upload<S extends EndpointSchema>(
  endpoint: Endpoint<S>,
  input: NonNullable<Given<S>[0]>,
  onProgress: OnProgress,
): Promise<Answer<S>> {
  await checkReadable(input.body).catch(() => {
    const detail = 'The file was changed or moved after it was chosen. Choose it again.'
    throw new ApiError(0, { detail }, detail, endpoint.config)
  })
  return call(endpoint, ...([{ ...input, fetch: sendWithProgress(onProgress) }] as unknown as Given<S>))
}

/** A file that was saved again after it was chosen cannot be sent: the browser would blame the network for it. */
async function checkReadable(body: Record<string, unknown> | undefined) {
  for (const value of Object.values(body ?? {})) {
    if (value instanceof Blob) await value.slice(0, 1).arrayBuffer()
  }
}

function sendWithProgress(onProgress: OnProgress): Fetch {
  return (url, { method = 'POST', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      request.responseType = 'arraybuffer'
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value)
      })
      request.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total })
      request.onload = () => resolve(toResponse(request))
      request.onerror = () => reject(new TypeError('The request failed.'))
      // Also when the page is left: whoever waits then learns it.
      request.onabort = () => reject(signal.reason)
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', () => request.abort(), { once: true })
      request.send(body as XMLHttpRequestBodyInit)
    })
}

function toResponse(request: XMLHttpRequest) {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const { status, statusText, response } = request
  const hasNoBody = status === 204 || status === 205 || status === 304
  return new Response(hasNoBody ? null : response, { status, statusText, headers })
}
