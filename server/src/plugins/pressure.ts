import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'
import { unavailable } from '../problem.ts'

/** When the event loop falls behind, new work is turned away while what was taken is finished. */
export async function shedLoad(app: FastifyInstance, env: Pick<Env, 'MAX_EVENT_LOOP_DELAY_MS'>) {
  await app.register(underPressure, {
    maxEventLoopDelay: env.MAX_EVENT_LOOP_DELAY_MS,
    pressureHandler: (request) => {
      if (!request.url.startsWith('/health/')) throw unavailable('The server is overloaded. Try again in a moment.')
    },
  })
}
