import type { CustomFetch } from 'openid-client'
import { HttpError, sendRequest, withDeadline } from '../http.ts'

/** More than ten thousand groups. Parsing much more would block the event loop. */
const LIMIT_BYTES = 262_144

/** Sends the requests of the library with our own timeout and limit. Redirects are not followed. */
export function createFetch(timeoutMs: number): CustomFetch {
  return (url, { method, headers, body, signal: given }) =>
    withDeadline({ ms: timeoutMs, signal: given }, async ({ signal }) => {
      if (!isSecure(new URL(url))) throw new HttpError('redirect', { networkCode: 'plain http' })
      const request = { method, headers, ...(body && { body: String(body) }) }
      const { status, headers: received, chunks } = await sendRequest('oidc', url, request, signal)
      const parts: Uint8Array[] = []
      for await (const chunk of chunks(LIMIT_BYTES)) parts.push(chunk)
      const type = received.get('content-type')
      const content = Buffer.concat(parts)
      return new Response(content.length > 0 ? content : null, {
        status,
        headers: type ? { 'content-type': type } : {},
      })
    })
}

/** Plain http is for tests, and for providers on the same machine. */
export function isSecure({ protocol, hostname }: URL) {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
