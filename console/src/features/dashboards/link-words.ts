import type { LinkCheck } from '@watchdesk/contract/dashboards'
import { LINK_CHECK_MS } from '@watchdesk/contract/limits'
import { unframeable } from './unframeable.ts'

type Problem = NonNullable<LinkCheck['problem']>

const PROBLEMS: Record<Exclude<Problem, 'status'>, string> = {
  host_not_found: 'The host was not found.',
  dns_failed: 'The host could not be looked up.',
  private_address: 'Private addresses are not checked.',
  timeout: `No response within ${LINK_CHECK_MS / 1000} seconds.`,
  tls: 'The certificate or TLS connection is invalid.',
  connection_refused: 'The connection was refused.',
  connection_failed: 'The connection failed.',
  redirect: 'It redirects too often or to an invalid address.',
  invalid_response: 'The response is not valid HTTP.',
}

const HEADERS = { x_frame_options: 'X-Frame-Options', frame_ancestors: 'Content-Security-Policy' }

export type LinkWords = { kind: 'works' | 'not_embeddable' | 'unreachable' | 'unchecked'; tag: string; text: string }

/** The result of a check in words. `page` is where the dashboard would be embedded. */
export function linkWords({ problem, status, embedding, embed_link }: LinkCheck, page: string): LinkWords {
  if (problem === 'private_address') return { kind: 'unchecked', tag: 'Not checked', text: PROBLEMS[problem] }
  if (problem !== null) {
    const text = problem === 'status' ? statusText(status ?? 0) : PROBLEMS[problem]
    return { kind: 'unreachable', tag: 'Not reachable', text }
  }
  if (embedding === 'x_frame_options' || embedding === 'frame_ancestors')
    return { kind: 'not_embeddable', tag: 'Not embeddable', text: `Forbidden by ${HEADERS[embedding]}.` }
  const refusal = unframeable(embed_link, page)
  if (refusal !== undefined) return { kind: 'not_embeddable', tag: 'Not embeddable', text: refusal }
  return { kind: 'works', tag: 'Works', text: 'Allows embedding.' }
}

function statusText(status: number) {
  if (status === 401 || status === 403) return `Access is refused (${status}).`
  if (status === 404 || status === 410) return `The page was not found (${status}).`
  return status >= 500 ? `The site has an error (${status}).` : `The site responds with status ${status}.`
}
