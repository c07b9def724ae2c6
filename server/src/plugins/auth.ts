import { SIGN_IN_AGAIN_MINUTES } from '@watchdesk/contract/limits'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor, SigningIn } from '../actor.ts'
import type { Callers } from '../db/callers.ts'
import { forbidden, type Problem, readOnly, refuse, signedOut, signInAgain } from '../problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** See the contract's `Endpoint`. */
    is_polled?: true
    is_read?: true
    needs_recent_sign_in?: true
  }
  interface FastifyRequest {
    /** Set on every route for users who are signed in. */
    actor: Actor
    /** Set on every route that finishes a sign-in. */
    signingIn: SigningIn
  }
}

type FindSigningIn = (token: string, from: { ip: string; user_agent: string | undefined }) => Promise<SigningIn>

/**
 * Denies by default: the token must match the access of the route before the request is read. It is checked again
 * before every write: see `db/rights.ts`.
 */
export function authenticate(app: FastifyInstance, callers: Callers, findSigningIn: FindSigningIn) {
  app.decorateRequest('actor')
  app.decorateRequest('signingIn')
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    if (request.is404 || config.access === 'public') return
    if (config.access === 'signing_in') return admitSigningIn(request)
    const found = await callers.find(tokenOf(request), request.ip, { isPolled: config.is_polled })
    request.actor = actorFor(config, found)
    const refusal = refusalOf(request, request.actor)
    if (refusal) throw refusal
  })

  async function admitSigningIn(request: FastifyRequest) {
    const { ip, headers } = request
    request.signingIn = await findSigningIn(tokenOf(request), { ip, user_agent: headers['user-agent'] })
  }
}

/** For dangerous actions that only the handler recognizes. */
export function requireRecentSignIn(actor: Actor) {
  refuse(refusalOfOldSignIn(actor))
}

/** A token cannot prove who uses it. */
export function refusalOfOldSignIn({ proved_at }: Actor): Problem | undefined {
  if (proved_at === null) return tokenRefused()
  const isOld = Date.now() - proved_at.getTime() > SIGN_IN_AGAIN_MINUTES * 60_000
  return isOld ? signInAgain() : undefined
}

/** Auditors may change their own account. */
function actorFor({ access }: FastifyContextConfig, actor: Actor) {
  if (access === 'account') actor.is_read_only = false
  return actor
}

function refusalOf({ method, routeOptions }: FastifyRequest, actor: Actor): Problem | undefined {
  const { access, is_read, needs_recent_sign_in } = routeOptions.config
  if (access === 'account' && actor.credential === 'api_tokens') return tokenRefused()
  if (access === 'super_admin' && !actor.is_super_admin) return forbidden('Only super admins can do this.')
  if (actor.is_read_only && method !== 'GET' && !is_read) return readOnly(actor)
  return needs_recent_sign_in ? refusalOfOldSignIn(actor) : undefined
}

export function tokenRefused() {
  return forbidden('A token cannot do this. Sign in to the console instead.')
}

export function tokenOf({ headers }: FastifyRequest) {
  const token = /^Bearer ([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
  if (!token) throw signedOut()
  return token
}
