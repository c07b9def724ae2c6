import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'
import { unavailable } from '../problem.ts'

/** A server that has just started compiles code on first use: that delay is not an overload. */
export const WARM_UP_MS = 5000

export async function shedLoad(app: FastifyInstance, env: Pick<Env, 'MAX_EVENT_LOOP_DELAY_MS'>) {
  let checkedFrom = Number.POSITIVE_INFINITY
  app.addHook('onReady', async () => {
    checkedFrom = performance.now() + WARM_UP_MS
  })
  await app.register(underPressure, {
    maxEventLoopDelay: env.MAX_EVENT_LOOP_DELAY_MS,
    pressureHandler: (request) => {
      const isExempt = performance.now() < checkedFrom || request.url.startsWith('/health/')
      if (!isExempt) throw unavailable('The server is overloaded. Try again in a moment.')
    },
  })
}
