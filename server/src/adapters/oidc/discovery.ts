import { withoutTrailingSlashes } from '@watchdesk/contract/text'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { backoffMs, retry } from '../http.ts'
import { OidcError, oidcError } from './error.ts'
import { createFetch } from './fetch.ts'

export type Client = { issuer: string; id: string; secret: string }

/** For each request. */
const TIMEOUT_MS = 5000
const ATTEMPTS = 2
const KEPT_MS = 60 * 60 * 1000

/**
 * What the provider publishes about itself. Read when it is first needed, so that the server starts without the provider,
 * and read again after an hour. While that fails, what is known is used.
 */
export function createDiscovery({ issuer, id, secret }: Client) {
  let known: { configuration: Configuration; until: number } | undefined
  let reading: Promise<Configuration> | undefined

  /** All who need it at the same time share one request. */
  return async function discover(): Promise<Configuration> {
    if (known && Date.now() < known.until) return known.configuration
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading.catch((error: unknown) => {
      if (known) return known.configuration
      throw new OidcError('unreachable', oidcError(error).message)
    })
  }

  async function read() {
    const startedAt = performance.now()
    const configuration = await retry(readOnce, {
      attempts: ATTEMPTS,
      remainingMs: () => TIMEOUT_MS - (performance.now() - startedAt),
      delayMs: (_, attempt) => backoffMs(attempt, { firstMs: 200 }),
    })
    known = { configuration, until: Date.now() + KEPT_MS }
    return configuration
  }

  async function readOnce() {
    const configuration = await discovery(new URL(issuer), id, secret, secretIn(secret), {
      [customFetch]: createFetch(TIMEOUT_MS),
      // The library does not verify the signature of tokens that the provider sends directly, unless told to.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    })
    // The library accepts others from Microsoft: with those, users of any organization could sign in.
    const found = configuration.serverMetadata().issuer
    if (withoutTrailingSlashes(found) !== withoutTrailingSlashes(issuer))
      throw new OidcError('unreachable', 'OIDC_ISSUER is not the issuer that the provider publishes.')
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
