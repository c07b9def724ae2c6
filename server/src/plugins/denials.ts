import type { FastifyInstance } from 'fastify'
import { auditOnce } from '../db/audit.ts'
import type { SystemDb } from '../db/open.ts'
import { asksToSignInAgain } from '../problem.ts'

const SIGNED_OUT = 401
const FORBIDDEN = 403

/** Also of a session that ended during the call. A user who is asked to sign in again is not rejected. */
export function auditDenials(app: FastifyInstance, db: SystemDb) {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { actor, routeOptions, method } = request
    const status = reply.statusCode
    const isDenied = status === FORBIDDEN || (status === SIGNED_OUT && !asksToSignInAgain(reply))
    if (!actor || !isDenied) return done(null, payload)
    const call = `${method} ${routeOptions.url}`
    const changes = { call: { before: null, after: call }, status: { before: null, after: status } }
    const { workspace_id } = actor
    const event = { action: 'denied', entity: 'call', entity_id: null, workspace_id, changes } as const
    // The call stays rejected even if the event cannot be saved.
    const audited = db.transaction().execute((trx) => auditOnce(trx, actor, `${status} ${call}`, event))
    return audited.catch((error) => request.log.error({ err: error })).then(() => payload)
  })
}
