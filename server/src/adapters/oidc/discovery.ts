import { buffer } from 'node:stream/consumers'
import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { backoffMs, type Deadline, HttpError, isThisMachine, retry, sendRequest, withDeadline } from '../http.ts'
import { SsoError, ssoError } from './error.ts'

const TIMEOUT_MS = 5000
const KEPT_MS = 60 * 60 * 1000
/** More than ten thousand groups. Parsing much more would block the event loop. */
const LIMIT_BYTES = 262_144

/** Read when it is needed, so that the server starts without the provider. While that fails, what is known is used. */
export function createDiscovery({ issuer, id, secret }: { issuer: string; id: string; secret: string }) {
  let known: { configuration: Configuration; until: number } | undefined
  let reading: Promise<Configuration> | undefined

  return async function discover(): Promise<Configuration> {
    if (known && Date.now() < known.until) return known.configuration
    reading ??= withDeadline({ ms: TIMEOUT_MS }, readTwice).finally(() => {
      reading = undefined
    })
    return reading.catch((error: unknown) => {
      if (known) return known.configuration
      throw new SsoError('unreachable', ssoError(error).message)
    })
  }

  function readTwice({ remainingMs }: Deadline) {
    return retry(read, { attempts: 2, remainingMs, delayMs: (_, attempt) => backoffMs(attempt, { firstMs: 200 }) })
  }

  async function read() {
    const configuration = await discovery(new URL(issuer), id, secret, secretIn(secret), {
      [customFetch]: sendForLibrary,
      // The library does not verify the signature of tokens that the provider sends directly, unless told to.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    })
    // The library accepts others from Microsoft: with those, users of any organization could sign in.
    const found = configuration.serverMetadata().issuer
    if (withoutTrailingSlashes(found) !== withoutTrailingSlashes(issuer))
      throw new SsoError('unreachable', 'OIDC_ISSUER is not the issuer that the provider publishes.')
    known = { configuration, until: Date.now() + KEPT_MS }
    return configuration
  }
}

/** In the header, which is the default of the standard, unless the provider only accepts it in the body. */
function secretIn(secret: string): ClientAuth {
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods } = server
    const isInHeader = methods === undefined || methods.includes('client_secret_basic')
    return (isInHeader ? ClientSecretBasic(secret) : ClientSecretPost(secret))(server, ...rest)
  }
}

/** Sends the requests of the library with our own timeout and limit. Redirects are not followed. */
const sendForLibrary: CustomFetch = (url, { method, headers, body, signal: given }) =>
  withDeadline({ ms: TIMEOUT_MS, signal: given }, async ({ signal }) => {
    if (!isSecure(new URL(url))) throw new HttpError('redirect', { networkCode: 'plain http' })
    const request = { method, headers, ...(body && { body: String(body) }) }
    const { status, headers: received, chunks } = await sendRequest('oidc', url, request, signal)
    const content = await buffer(chunks(LIMIT_BYTES))
    const type = received.get('content-type')
    return new Response(content.length > 0 ? content : null, { status, headers: type ? { 'content-type': type } : {} })
  })

/** Plain http is for tests, and for providers on the same machine. */
export function isSecure({ protocol, hostname }: URL) {
  return protocol === 'https:' || isThisMachine(hostname)
}
