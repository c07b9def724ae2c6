import { Resolver } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { LinkCheck } from '@watchdesk/contract/dashboards'
import { LINK_CHECK_MS } from '@watchdesk/contract/limits'
import type { Env } from '../../env.ts'
import { codeOf, HttpError, outboundRequests, withDeadline } from '../http.ts'
import { embeddingOf } from './embedding.ts'
import { isPublicAddress } from './public-address.ts'

export type EmbedLinks = ReturnType<typeof createEmbedLinks>

type Checked = Pick<LinkCheck, 'problem' | 'status' | 'embedding'>

const MAX_REDIRECTS = 5
const MAX_HEADER_BYTES = 65_536
const HEADERS = { accept: 'text/html,*/*;q=0.8', 'user-agent': 'Watchdesk (checks embed links)' }

class LinkError extends Error {
  readonly problem: NonNullable<LinkCheck['problem']>

  constructor(problem: LinkError['problem']) {
    super(`The link cannot be reached (${problem}).`)
    this.problem = problem
  }
}

/** For tests. */
type Options = { nameservers?: string[]; isPublic?: (address: string) => boolean; ms?: number }

/** Connects only to public addresses: they are looked up once, checked, and then used, also after a redirect. */
export function createEmbedLinks(
  { LINK_CHECK_PRIVATE }: Pick<Env, 'LINK_CHECK_PRIVATE'>,
  { nameservers, isPublic = isPublicAddress, ms = LINK_CHECK_MS }: Options = {},
) {
  const isAllowed = LINK_CHECK_PRIVATE === 'on' ? () => true : isPublic
  return { check }

  async function check(link: string, { origin, signal }: { origin: string; signal: AbortSignal }): Promise<Checked> {
    const endTimer = outboundRequests.startTimer({ service: 'embed link' })
    let outcome = 'aborted'
    try {
      const { response, url } = await withDeadline({ ms, signal }, (time) => follow(link, time.signal))
      const { statusCode: status = 0, headers } = response
      outcome = String(status)
      if (status >= 400) return { problem: 'status', status, embedding: null }
      return { problem: null, status, embedding: embeddingOf(headers, url, origin) }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const problem = problemOf(error)
      outcome = problem
      return { problem, status: null, embedding: null }
    } finally {
      endTimer({ outcome })
    }
  }

  async function follow(link: string, signal: AbortSignal) {
    let url = parse(link)
    for (let redirects = 0; ; redirects += 1) {
      const addresses = await addressesOf(url.hostname.replace(/^\[|\]$/g, ''), signal)
      // One of several would be enough to reach a private network.
      if (!addresses.every(isAllowed)) throw new LinkError('private_address')
      const response = await readHeaders(url, addresses, signal)
      const { statusCode = 0, headers } = response
      if (headers.location === undefined || statusCode < 300 || statusCode >= 400) return { response, url }
      if (redirects === MAX_REDIRECTS) throw new LinkError('redirect')
      url = parse(headers.location, url)
    }
  }

  /** Not with `dns.lookup`: its threads are few, and a slow name server would block what else they are used for. */
  async function addressesOf(host: string, signal: AbortSignal) {
    if (isIP(host) > 0) return [host]
    // Names that never leave the machine.
    if (/(?:^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1']
    const resolver = new Resolver({ timeout: 2000, tries: 2 })
    if (nameservers) resolver.setServers(nameservers)
    signal.addEventListener('abort', () => resolver.cancel())
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const codes = answers.map((answer) => (answer.status === 'rejected' ? codeOf(answer.reason) : ''))
    const isMissing = codes.every((code) => ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(code))
    throw new LinkError(isMissing ? 'host_not_found' : 'dns_failed')
  }
}

function parse(address: string, base?: URL) {
  const isValid = URL.canParse(address, base?.href)
  const url = isValid ? new URL(address, base) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new LinkError(base ? 'redirect' : 'invalid_response')
  return url
}

/** Connects to one of the addresses, whatever the name resolves to by now. */
function readHeaders(url: URL, addresses: string[], signal: AbortSignal): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, found)
  const connection = { agent: false, autoSelectFamily: true, lookup }
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const options = { ...connection, signal, headers: HEADERS, maxHeaderSize: MAX_HEADER_BYTES }
    const request = send(url, options, (response) => {
      resolve(response)
      response.destroy()
    })
    // After the headers, there is nothing left to fail.
    request.on('error', reject)
    request.on('close', () => reject(new LinkError('invalid_response')))
    request.end()
  })
}

const TLS_ERRORS = /CERT|SSL|TLS|EPROTO|SIGNATURE|ISSUER/

function problemOf(error: unknown): LinkError['problem'] {
  if (error instanceof LinkError) return error.problem
  if (error instanceof HttpError) return error.kind === 'timeout' ? 'timeout' : 'connection_failed'
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (code === 'ETIMEDOUT') return 'timeout'
  if (code.startsWith('HPE_')) return 'invalid_response'
  return TLS_ERRORS.test(code) ? 'tls' : 'connection_failed'
}
