import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { close, listen } from './loopback.ts'
import { CLIENT } from './oidc.ts'

export type Claims = Record<string, unknown>
type Keys = ReturnType<typeof makeKeys>
type Handler = (response: ServerResponse, request: IncomingMessage) => unknown

/** A provider on loopback that answers with any ID token, or with none. */
export async function startHostileProvider(publicUrl: string) {
  const keys = makeKeys()
  const hostile = {
    issuer: '',
    keys,
    settings: {} as Record<string, string>,
    /** The paths of all requests. */
    asked: [] as string[],
    /** Replaces parts of what the provider publishes about itself. */
    metadata: {} as Claims,
    /** The next ID token. */
    id_token: '',
    /** Replaces answers, by path. */
    handlers: {} as Record<string, Handler>,
    claims,
    stop: () => close(server),
  }

  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: hostile.issuer,
      authorization_endpoint: `${hostile.issuer}/authorize`,
      token_endpoint: `${hostile.issuer}/token`,
      jwks_uri: `${hostile.issuer}/jwks`,
      userinfo_endpoint: `${hostile.issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      ...hostile.metadata,
    }),
    '/jwks': () => ({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] }),
    '/token': () => ({ access_token: 'access-token-canary', token_type: 'bearer', id_token: hostile.id_token }),
    '/userinfo': () => ({ sub: 'subject' }),
  }
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    hostile.asked.push(path)
    const handler = hostile.handlers[path]
    if (handler) return handler(response, request)
    respondWithJson(response, 200, answers[path]?.() ?? {})
  })
  hostile.issuer = await listen(server)
  hostile.settings = {
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: hostile.issuer,
    OIDC_CLIENT_ID: CLIENT.client_id,
    OIDC_CLIENT_SECRET: CLIENT.client_secret,
  }
  return hostile

  /** What a valid ID token says. */
  function claims(nonce: string, email: string): Claims {
    const now = Math.floor(Date.now() / 1000)
    const token = { iss: hostile.issuer, aud: CLIENT.client_id, sub: 'subject', exp: now + 300, iat: now, nonce }
    return { ...token, auth_time: now, email, email_verified: true }
  }
}

export function respondWithJson(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function makeKeys() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

export function signed(claims: Claims, { privateKey }: Keys, header: Claims = {}) {
  const content = unsigned(claims, { alg: 'RS256', kid: 'one', ...header })
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`
}

/** Signed with a secret instead of a key. */
export function signedWithSecret(claims: Claims, secret: string | Buffer) {
  const content = unsigned(claims, { alg: 'HS256', kid: 'one' })
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

export function unsigned(claims: Claims, header: Claims) {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}
