import type { IncomingHttpHeaders } from 'node:http'

export type Embedding = 'allowed' | 'x_frame_options' | 'frame_ancestors'

/** A policy with `frame-ancestors` replaces X-Frame-Options, and of several policies all have to allow it (CSP 3). */
export function embeddingOf(headers: IncomingHttpHeaders, page: URL, origin: string): Embedding {
  const lists = frameAncestors(String(headers['content-security-policy'] ?? ''))
  if (lists.length > 0)
    return lists.every((sources) => allows(sources, page, new URL(origin))) ? 'allowed' : 'frame_ancestors'
  return allowsByOption(String(headers['x-frame-options'] ?? ''), page, origin) ? 'allowed' : 'x_frame_options'
}

/** Within a policy, the first one counts. */
function frameAncestors(policies: string) {
  return policies.split(',').flatMap((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
    const found = directives.find(([name = '']) => name.toLowerCase() === 'frame-ancestors')
    return found ? [found.slice(1)] : []
  })
}

function allows(sources: string[], page: URL, origin: URL) {
  return sources.some((source) => {
    const text = source.toLowerCase()
    if (text === "'self'") return page.origin === origin.origin
    if (text === '*') return true
    if (/^[a-z][a-z\d+.-]*:$/.test(text)) return isScheme(text, origin.protocol)
    return isHost(text, page, origin)
  })
}

function isScheme(wanted: string, actual: string) {
  return wanted === actual || (wanted === 'http:' && actual === 'https:')
}

const HOST_SOURCE = /^(?:([a-z][a-z\d+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z\d_.-]+|\[[\da-f:.]+\])(?::(\d+|\*))?(\/.*)?$/
const PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' }

function isHost(source: string, page: URL, { protocol, hostname, port }: URL) {
  const [, scheme, host = '', wantedPort] = HOST_SOURCE.exec(source) ?? []
  if (host === '' || !isScheme(scheme ?? page.protocol, protocol)) return false
  const isSame = host.startsWith('*') ? host === '*' || hostname.endsWith(host.slice(1)) : hostname === host
  const actualPort = port || PORTS[protocol]
  const isUpgraded = wantedPort === '80' && actualPort === '443'
  return isSame && (wantedPort === '*' || isUpgraded || actualPort === (wantedPort ?? PORTS[protocol]))
}

/** Browsers ignore unknown values, unless a known one contradicts them. */
function allowsByOption(header: string, page: URL, origin: string) {
  const values = new Set(header.split(',').map((value) => value.trim().toLowerCase()))
  values.delete('')
  if (values.size > 1) return !['deny', 'sameorigin', 'allowall'].some((known) => values.has(known))
  if (values.has('sameorigin')) return page.origin === origin
  return !values.has('deny')
}
