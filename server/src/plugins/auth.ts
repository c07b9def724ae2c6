import { SIGN_IN_AGAIN_MINUTES } from '@watchdesk/contract/limits'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor, SigningIn } from '../actor.ts'
import type { Callers } from '../db/callers.ts'
import { databaseFailure } from '../db/errors.ts'
import { forbidden, type Problem, readOnly, refuse, signedOut, signInAgain } from '../problem.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Finds the caller in the database. Throws if there is no session, or no access to the route. */
    admit(request: FastifyRequest): Promise<void>
  }
  interface FastifyContextConfig {
    /** The session is confirmed by the first statement of the handler: see `confirmingSession`. */
    confirms_session?: true
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
  app.addHook('onRequest', (request, _reply, done) => {
    const { config } = request.routeOptions
    const { access, confirms_session } = config
    if (request.is404 || access === 'public') return done()
    if (access === 'signing_in') return void admitSigningIn(request).then(() => done(), done)
    const remembered = confirms_session && callers.recall(tokenOf(request), request.ip)
    if (!remembered) return void admit(request).then(() => done(), done)
    const actor = actorFor(config, remembered)
    if (refusalOf(request, actor)) return void admit(request).then(() => done(), done)
    request.actor = actor
    done()
  })

  app.addHook('onRoute', (route) => {
    if (!route.config?.confirms_session) return
    const { handler } = route
    // Otherwise a caller whose session has ended would be told what is wrong with the request.
    route.attachValidation = true
    route.handler = async function (request, reply) {
      try {
        if (request.validationError) throw request.validationError
        const result = await handler.call(this, request, reply)
        if (request.actor.isConfirmed) return result
      } catch (error) {
        // Asking a database that does not respond a second time would double the wait.
        if (request.actor.isConfirmed || databaseFailure(error)) throw error
      }
      // The session or the user has changed, or the work did not get as far as a statement.
      await admit(request)
      if (request.validationError) throw request.validationError
      return handler.call(this, request, reply)
    }
  })

  app.decorate('admit', admit)

  async function admit(request: FastifyRequest) {
    const { config } = request.routeOptions
    // A remembered user without a session did not make this call, so nothing is recorded about it.
    Reflect.deleteProperty(request, 'actor')
    const found = await callers.find(tokenOf(request), request.ip, { isPolled: config.is_polled })
    request.actor = actorFor(config, found)
    const refusal = refusalOf(request, request.actor)
    if (refusal) throw refusal
  }

  async function admitSigningIn(request: FastifyRequest) {
    const { ip, headers } = request
    request.signingIn = await findSigningIn(tokenOf(request), { ip, user_agent: headers['user-agent'] })
  }
}

/**
 * For endpoints whose handlers read only with `read` and change something only with `rights`: their first statement
 * confirms the session, so that no statement is needed before it. Until then, nothing is saved or sent.
 */
export function confirmingSession<Endpoints extends Record<string, { config: object }>>(
  endpoints: Endpoints,
): Endpoints {
  const entries = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    { ...endpoint, config: { ...endpoint.config, confirms_session: true } },
  ])
  return Object.fromEntries(entries) as Endpoints
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
