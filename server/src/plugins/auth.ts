import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { type Actor, refusalToChange, refusalWithoutRecentSignIn, type SigningIn, tokenRefused } from '../actor.ts'
import type { FindCaller } from '../db/callers.ts'
import { requireWritableDatabase } from '../db/open.ts'
import { forbidden, type Problem, refuse, signedOut } from '../problem.ts'

declare module 'fastify' {
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
export function authenticate(app: FastifyInstance, findCaller: FindCaller, findSigningIn: FindSigningIn) {
  app.decorateRequest('actor')
  app.decorateRequest('signingIn')
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    if (request.is404 || config.access === 'public') return
    if (config.access === 'signing_in') return admitSigningIn(request)
    request.actor = await findCaller(tokenOf(request), request.ip, { isPolled: config.is_polled })
    // Auditors may change their own account.
    if (config.access === 'account') request.actor.mayChange = true
    refuse(refusalOf(request, request.actor))
  })

  async function admitSigningIn(request: FastifyRequest) {
    const { ip, headers } = request
    request.signingIn = await findSigningIn(tokenOf(request), { ip, user_agent: headers['user-agent'] })
  }
}

/** Sign-ins read before they write: while the database cannot be written, they fail before that. */
export function requireDatabaseToSignIn(app: FastifyInstance, pool: Pool) {
  app.addHook('onRoute', (route) => {
    const isChange = route.method === 'POST' && !route.config?.is_read
    if (route.config?.access !== 'public' || !isChange) return
    route.preHandler = [route.preHandler ?? [], () => requireWritableDatabase(pool)].flat()
  })
}

function refusalOf({ method, routeOptions }: FastifyRequest, actor: Actor): Problem | undefined {
  const { access, is_read, needs_recent_sign_in } = routeOptions.config
  if (access === 'account' && actor.credential === 'token') return tokenRefused()
  if (access === 'super_admin' && !actor.seesEverything) return forbidden('Only super admins can do this.')
  const isChange = method !== 'GET' && !is_read
  return (
    (isChange ? refusalToChange(actor) : undefined) ??
    (needs_recent_sign_in ? refusalWithoutRecentSignIn(actor) : undefined)
  )
}

export function tokenOf({ headers }: FastifyRequest) {
  const token = /^Bearer ([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
  if (!token) throw signedOut()
  return token
}
