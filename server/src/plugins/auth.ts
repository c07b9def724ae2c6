import type { Access } from '@watchdesk/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import type { Callers } from '../db/callers.ts'
import { databaseFailure } from '../db/errors.ts'
import { forbidden, signedOut } from '../problem.ts'

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
  }
  interface FastifyRequest {
    /** Set on every route whose access is not public. */
    actor: Actor
  }
}

/**
 * Denies by default: the token must match the access of the route before the request is read. It is checked again
 * before every write: see `db/rights.ts`.
 */
export function authenticate(app: FastifyInstance, callers: Callers) {
  app.decorateRequest('actor')
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, confirms_session } = request.routeOptions.config
    if (request.is404 || access === 'public') return done()
    const remembered = confirms_session && callers.recall(tokenOf(request), request.ip)
    if (!remembered || !isAllowed(access, remembered)) return void admit(request).then(() => done(), done)
    request.actor = remembered
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
    const { access, is_polled } = request.routeOptions.config
    // A remembered user without a session did not make this call, so nothing is recorded about it.
    Reflect.deleteProperty(request, 'actor')
    request.actor = await callers.find(tokenOf(request), request.ip, { isPolled: is_polled })
    if (!isAllowed(access, request.actor)) throw forbidden('Only super admins can do this.')
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

function isAllowed(access: Access, actor: Actor) {
  return access !== 'super_admin' || actor.is_super_admin
}

function tokenOf({ headers }: FastifyRequest) {
  const token = /^Bearer ([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
  if (!token) throw signedOut()
  return token
}
