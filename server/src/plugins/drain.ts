import { once } from 'node:events'
import { Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a request may already have been in transit when the server stops listening. */
const ON_ITS_WAY_MS = 1000
/** How long accepted requests may continue; the rest of the shutdown is quick. */
const DRAIN_MS = 25_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Announces the shutdown: the server still responds, but its readiness check fails. */
    announceStop(): void
    isStopping(): boolean
  }
}

/** Closing idle connections immediately would lose requests in transit. */
export function drainOnClose(app: FastifyInstance) {
  let closing = false
  let isStopping = false
  app.decorate('announceStop', () => {
    // Not `closing` yet, which makes clients reconnect: some would do so just as the port closes, and be reset.
    isStopping = true
  })
  app.decorate('isStopping', () => isStopping)
  app.addHook('preClose', async () => {
    closing = true
    const closed = once(app.server, 'close')
    // The close method of http.Server would also drop idle connections.
    Server.prototype.close.call(app.server)
    await Promise.race([closed, wait(ON_ITS_WAY_MS)])
    // A connection may become idle without a response, for example after an abort.
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
