import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { outboundRequests } from '../adapters/http.ts'
import { sentMails } from '../adapters/mail/mail.ts'
import type { Env } from '../env.ts'
import { forbidden } from '../problem.ts'
import { hashToken } from '../token.ts'

export function serveMetrics(app: FastifyInstance, { env, pool }: { env: Env; pool: Pool }) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(outboundRequests)
  registry.registerMetric(sentMails)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of responses, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, by state; waiting counts requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })

  app.get('/metrics', { config: { access: 'public' } }, async (request, reply) => {
    if (!isLocal(request) && !hasToken(request, env.METRICS_TOKEN))
      throw forbidden('Metrics are for this machine only.')
    reply.type(registry.contentType)
    return registry.metrics()
  })
}

/** A forwarded request counts as remote, even if the proxy runs on this machine. */
function isLocal(request: FastifyRequest) {
  const isForwarded = Object.keys(request.headers).some((name) =>
    /^(x-forwarded-.*|x-real-ip|forwarded|via)$/.test(name),
  )
  return !isForwarded && /^(127\.|::1$|::ffff:127\.)/.test(request.ip)
}

function hasToken(request: FastifyRequest, token: string | undefined) {
  const given = request.headers.authorization?.replace(/^Bearer /i, '')
  return token !== undefined && given !== undefined && timingSafeEqual(hashToken(given), hashToken(token))
}
