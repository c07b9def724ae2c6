import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { type Env, StartError } from '../../env.ts'
import { createDiscovery, isSecure } from './discovery.ts'
import { SsoError, ssoError } from './error.ts'

/** As OpenID Connect Core says. Others could be stored as the same text. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
const YEAR_SECONDS = 365 * 24 * 60 * 60
/** Fits into a cookie, and into the longest address that Keycloak accepts. */
const MAX_HINT_LENGTH = 3_000

/** What has to be kept until the provider answers. */
export type SignInRequest = {
  state: string
  nonce: string
  verifier: string
  /** When it started, in seconds, if the user has to prove again who they are. */
  again_since: number | null
}

export type Identity = {
  issuer: string
  subject: string
  proved_at: Date | undefined
  /** Proves to the provider at the sign-out whom it is about. Undefined if it is too long for an address. */
  id_token?: string | undefined
  claims: Record<string, unknown>
}

export type Oidc = NonNullable<ReturnType<typeof openOidc>>

/** Sign-in at an OpenID Connect provider, with authorization codes and PKCE. Throws `SsoError`. */
export function openOidc(env: Pick<Env, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'PUBLIC_URL'>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id = '', OIDC_CLIENT_SECRET: secret = '', PUBLIC_URL = '' } = env
  if (issuer === undefined) return undefined
  if (!isSecure(new URL(issuer))) {
    throw new StartError('Bad setting. OIDC_ISSUER: must be an https address, except on the same machine')
  }
  const discover = createDiscovery({ issuer, id, secret })
  const callback = new URL('/sso/callback', PUBLIC_URL).href
  return { start, finish, signOutUrl }

  async function start({ isAgain }: { isAgain: boolean }) {
    const configuration = await discover()
    const request: SignInRequest = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      again_since: isAgain ? nowInSeconds() : null,
    }
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'openid email profile',
      state: request.state,
      nonce: request.nonce,
      code_challenge: await calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
      // Providers have to say when someone signed in there only if they are asked for an age.
      ...(isAgain ? { prompt: 'login', max_age: '0' } : { max_age: String(YEAR_SECONDS) }),
    })
    return { url: url.href, request }
  }

  /** Needs `wanted` claims, of the ID token or of the page about the user. */
  function finish(query: string, request: SignInRequest, wanted: string[]): Promise<Identity> {
    return exchange(query, request, wanted).catch((error) => {
      throw ssoError(error)
    })
  }

  async function exchange(query: string, request: SignInRequest, wanted: string[]) {
    const configuration = await discover()
    const url = new URL(callback)
    url.search = query
    const { state, nonce, verifier, again_since } = request
    const answer = await authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      // Not 0, because someone may take a while to come back after the sign-in.
      ...(again_since !== null && { maxAge: nowInSeconds() - again_since }),
    })
    const token = answer.claims()
    if (!token) throw new Error('The library returned no ID token')
    const { iss, sub, auth_time } = token
    if (!SUBJECT.test(sub)) throw new SsoError('invalid', 'The subject is not valid.')
    const isComplete = wanted.every((claim) => token[claim] !== undefined)
    const hasMore = !isComplete && configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = hasMore ? await fetchUserInfo(configuration, answer.access_token, sub) : {}
    // An email from one of them is not verified because another one is.
    const { email, email_verified, xms_edov, ...rest } = token
    const verified = email === undefined ? {} : { email, email_verified, xms_edov }
    return {
      issuer: iss,
      subject: sub,
      id_token: answer.id_token && answer.id_token.length <= MAX_HINT_LENGTH ? answer.id_token : undefined,
      proved_at: auth_time === undefined ? undefined : new Date(Math.min(auth_time * 1000, Date.now())),
      claims: { ...more, ...rest, ...verified },
    }
  }

  async function signOutUrl(id_token?: string) {
    const configuration = await discover()
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
    const post_logout_redirect_uri = new URL('/login', PUBLIC_URL).href
    // Without the ID token, Keycloak asks whether to sign out.
    const hint = id_token ? { id_token_hint: id_token } : undefined
    return buildEndSessionUrl(configuration, { post_logout_redirect_uri, ...hint }).href
  }
}

function nowInSeconds() {
  return Math.floor(Date.now() / 1000)
}
