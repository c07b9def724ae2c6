import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'

/** The minimum average speed after the grace period: any working connection is faster. */
const MIN_BYTES_PER_SECOND = 500

type Receiving = { response: ServerResponse; since: number; before: number }

/** Node itself ends requests whose headers come too slowly; this ends those whose bodies do. */
export function dropSlowSenders(app: FastifyInstance, env: Pick<Env, 'SLOW_CLIENT_TIMEOUT_MS'>) {
  const receiving = new Map<IncomingMessage, Receiving>()
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    receiving.set(request, { response, since: performance.now(), before: socket.bytesRead })
    request.once('close', () => receiving.delete(request))
  })
  const sweeper = setInterval(sweep, lookEveryMs(env)).unref()
  app.addHook('onClose', async () => clearInterval(sweeper))

  function sweep() {
    for (const [request, { response, since, before }] of receiving) {
      const seconds = (performance.now() - since - env.SLOW_CLIENT_TIMEOUT_MS) / 1000
      const isSlow = request.socket.bytesRead - before < seconds * MIN_BYTES_PER_SECOND
      if (!request.complete && isSlow) drop(request, response)
    }
  }

  function drop(request: IncomingMessage, response: ServerResponse) {
    receiving.delete(request)
    if (response.headersSent) request.socket.destroy()
    else app.server.emit('clientError', Object.assign(new Error('slow'), { code: REQUEST_TIMEOUT }), request.socket)
  }
}

export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** How often connections are checked: often enough that no client gets much more than its time. */
export function lookEveryMs({ SLOW_CLIENT_TIMEOUT_MS }: Pick<Env, 'SLOW_CLIENT_TIMEOUT_MS'>) {
  return Math.min(5000, Math.ceil(SLOW_CLIENT_TIMEOUT_MS / 3))
}
