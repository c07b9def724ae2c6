import type { FastifyInstance } from 'fastify'

/** While the server stops, each answer tells its client to open no further request on that connection. */
export function drainOnClose(app: FastifyInstance) {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    // What was busy when the close began may go idle without an answer, for example after an abort.
    const sweeper = setInterval(() => app.server.closeIdleConnections(), 200).unref()
    app.server.once('close', () => clearInterval(sweeper))
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}
