import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Provider, { type Configuration, type JWK } from 'oidc-provider'

export const CLIENT = { client_id: 'watchdesk', client_secret: 'client-secret-canary-5f1c' }

export type ProviderAccount = { email?: string; email_verified?: boolean; [claim: string]: unknown }
export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>

/**
 * A certified OpenID Connect provider on loopback. Entering the id of an account in its form signs in as that
 * account. It sends the claims of an account only when they are asked for with the access token.
 */
export async function startOidcProvider(publicUrl: string, host = '127.0.0.1') {
  const accounts: Record<string, ProviderAccount> = {}
  /** The addresses of all requests. */
  const asked: string[] = []
  const server = createServer((request, response) => {
    respond(request, response).catch((error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configuration(publicUrl, accounts))
  const handle = provider.callback()

  async function respond(request: IncomingMessage, response: ServerResponse) {
    asked.push(request.url ?? '')
    if (!request.url?.startsWith('/sign-in/')) return handle(request, response)
    if (request.method !== 'POST') return response.writeHead(200, { 'content-type': 'text/html' }).end(FORM)
    const form = new URLSearchParams(await text(request))
    const accountId = form.get('account') ?? ''
    const result =
      accountId in accounts ? { login: { accountId } } : { error: 'access_denied', error_description: 'Cancelled' }
    return provider.interactionFinished(request, response, result)
  }

  return {
    issuer,
    accounts,
    asked,
    /** The settings of the server that signs in here. */
    settings: {
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const FORM = `<!doctype html><title>Provider</title><form method="post">
  <label>Account <input name="account"></label> <button>Sign in</button></form>`

function configuration(publicUrl: string, accounts: Record<string, ProviderAccount>): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${publicUrl}/sso/callback`],
        post_logout_redirect_uris: [`${publicUrl}/login`],
      },
    ],
    jwks: { keys: [{ ...(privateKey.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['cookies of the test'] },
    claims: {
      openid: ['sub', 'groups'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true, logoutSource } },
    interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_ctx, sub) =>
      sub in accounts ? { accountId: sub, claims: () => ({ sub, ...accounts[sub] }) } : undefined,
    /** Nobody is asked for consent. */
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

/** The provider's own page loads a font from elsewhere. */
function logoutSource(ctx: { body: unknown }, form: string) {
  ctx.body = `<!doctype html><title>Provider</title>${form}
    <button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>`
}
