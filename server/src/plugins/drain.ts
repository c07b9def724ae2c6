import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a request may already have been in transit when the server stops listening. */
const ON_ITS_WAY_MS = 1000
/** How long accepted requests may run on; what follows the last of them is quick. */
const DRAIN_MS = 25_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Announces the stop: the server still answers everything, but its readiness check fails. */
    announceStop(): void
    isStopping(): boolean
  }
}

/**
 * While the server stops, it takes no further connection, answers what arrives on those it has, and tells each client to
 * send no more there. Only then it closes those that are idle: closed at once, a call that was on its way would be lost.
 */
export function drainOnClose(app: FastifyInstance) {
  let closing = false
  let isStopping = false
  app.decorate('announceStop', () => {
    // Not `closing` yet: clients told to connect anew could do so just when the port closes, and would be reset.
    isStopping = true
  })
  app.decorate('isStopping', () => isStopping)
  app.addHook('preClose', async () => {
    closing = true
    const closed = once(app.server, 'close')
    // Its own close would drop the idle connections as well.
    Server.prototype.close.call(app.server)
    await Promise.race([closed, wait(ON_ITS_WAY_MS)])
    // What was busy when the close began may go idle without an answer, for example after an abort.
    const sweeper = setInterval(() => app.server.closeIdleConnections(), 200).unref()
    const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS).unref()
    app.server.once('close', () => {
      clearInterval(sweeper)
      clearTimeout(deadline)
    })
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}
