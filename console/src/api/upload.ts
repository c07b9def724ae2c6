import type { Endpoint, EndpointSchema } from '@watchdesk/contract/endpoint'
import { ApiError, type CallArguments, call, type Fetch, type ResponseBody } from './call.ts'

/** Bytes of the whole request, which is slightly larger than its file. */
export type Progress = { loaded: number; total: number }

type OnProgress = (progress: Progress) => void

/** Calls the endpoint and reports the upload progress, which `fetch` does not support. */
export async function upload<S extends EndpointSchema>(
  endpoint: Endpoint<S>,
  input: NonNullable<CallArguments<S>[0]>,
  onProgress: OnProgress,
): Promise<ResponseBody<S>> {
  await checkReadable(input.body).catch(() => {
    const detail = 'The file was changed or moved after it was chosen. Choose it again.'
    throw new ApiError(0, { detail }, detail, endpoint.config)
  })
  return call(endpoint, ...([{ ...input, fetch: sendWithProgress(onProgress) }] as unknown as CallArguments<S>))
}

/** A file that has changed since it was chosen cannot be sent, and the browser would report a network error. */
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
      // Also fires when the page unloads.
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
