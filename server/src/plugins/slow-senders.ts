import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'

/** The minimum average speed after the grace period: any working connection is faster. */
const MIN_BYTES_PER_SECOND = 500

/** Node itself ends requests whose headers come too slowly; this ends those whose bodies do. */
export function dropSlowSenders(app: FastifyInstance, env: Pick<Env, 'SLOW_CLIENT_TIMEOUT_MS'>) {
  const checks = new Set<() => void>()
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    const since = performance.now()
    const before = socket.bytesRead
    const dropIfSlow = () => {
      const seconds = (performance.now() - since - env.SLOW_CLIENT_TIMEOUT_MS) / 1000
      const isSlow = socket.bytesRead - before < seconds * MIN_BYTES_PER_SECOND
      if (request.complete || !isSlow) return
      checks.delete(dropIfSlow)
      if (response.headersSent) socket.destroy()
      else app.server.emit('clientError', Object.assign(new Error('slow'), { code: REQUEST_TIMEOUT }), socket)
    }
    checks.add(dropIfSlow)
    request.once('close', () => checks.delete(dropIfSlow))
  })
  const sweeper = setInterval(() => {
    for (const dropIfSlow of checks) dropIfSlow()
  }, lookEveryMs(env)).unref()
  app.addHook('onClose', async () => clearInterval(sweeper))
}

export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'

/** How often connections are checked: often enough that no client gets much more than its time. */
export function lookEveryMs({ SLOW_CLIENT_TIMEOUT_MS }: Pick<Env, 'SLOW_CLIENT_TIMEOUT_MS'>) {
  return Math.min(5000, Math.ceil(SLOW_CLIENT_TIMEOUT_MS / 3))
}
