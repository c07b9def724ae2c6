import type { FastifyInstance } from 'fastify'
import { auditOnce } from '../db/audit.ts'
import type { SystemDb } from '../db/open.ts'

const SIGNED_OUT = 401
const FORBIDDEN = 403

/** Leaves an event of a call that was refused to somebody with a session: also one that ended while the call was under way. */
export function auditDenials(app: FastifyInstance, db: SystemDb) {
  app.addHook('onSend', async (request, reply, payload) => {
    const { actor, routeOptions, method } = request
    const status = reply.statusCode
    if (!actor || (status !== FORBIDDEN && status !== SIGNED_OUT)) return payload
    const call = `${method} ${routeOptions.url}`
    const changes = { call: { before: null, after: call }, status: { before: null, after: status } }
    const event = { action: 'denied', entity: 'call', entity_id: null, changes } as const
    // The refusal stands, also where it cannot be told.
    await auditOnce(db, actor, `${status} ${call}`, event).catch((error) => request.log.error({ err: error }))
    return payload
  })
}
