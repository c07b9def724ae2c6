import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import {
  type Actor,
  type Client,
  refusalToChange,
  requireRecentSignIn,
  type SigningIn,
  tokenRefused,
} from '../actor.ts'
import type { FindCaller } from '../db/callers.ts'
import { requireWritableDatabase } from '../db/open.ts'
import { forbidden, refuse, signedOut } from '../problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route for users who are signed in. */
    actor: Actor
    /** Set on every route that finishes a sign-in. */
    signingIn: SigningIn
  }
}

type FindSigningIn = (token: string, client: Client) => Promise<SigningIn>

/** Denies by default, before the request is read. `db/rights.ts` checks again before every write. */
export function authenticate(app: FastifyInstance, findCaller: FindCaller, findSigningIn: FindSigningIn) {
  app.decorateRequest('actor')
  app.decorateRequest('signingIn')
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    if (request.is404 || config.access === 'public') return
    if (config.access === 'signing_in') {
      request.signingIn = await findSigningIn(tokenOf(request), clientOf(request))
      return
    }
    request.actor = await findCaller(tokenOf(request), request.ip, { isPolled: config.is_polled })
    // Auditors may change their own account.
    if (config.access === 'account') request.actor.mayChange = true
    checkAccess(request, request.actor)
  })
}

/** Sign-ins read before they write: while the database cannot be written, they fail before that. */
export function requireDatabaseToSignIn(app: FastifyInstance, pool: Pool) {
  app.addHook('onRoute', (route) => {
    const isChange = route.method === 'POST' && !route.config?.is_read
    if (route.config?.access !== 'public' || !isChange) return
    route.preHandler = [route.preHandler ?? [], () => requireWritableDatabase(pool)].flat()
  })
}

function checkAccess({ method, routeOptions }: FastifyRequest, actor: Actor) {
  const { access, is_read, needs_recent_sign_in } = routeOptions.config
  if (access === 'account' && actor.credential === 'token') throw tokenRefused()
  if (access === 'super_admin' && !actor.seesEverything) throw forbidden('Only super admins can do this.')
  if (method !== 'GET' && !is_read) refuse(refusalToChange(actor))
  if (needs_recent_sign_in) requireRecentSignIn(actor)
}

export function tokenOf({ headers }: FastifyRequest) {
  const token = /^Bearer ([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
  if (!token) throw signedOut()
  return token
}

export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { ip, user_agent: headers['user-agent'] }
}
