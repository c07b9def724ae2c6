import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../problem.ts'

/** When the event loop falls behind, new work is turned away while what was taken is finished. */
export async function shedLoad(app: FastifyInstance) {
  await app.register(underPressure, {
    maxEventLoopDelay: 1000,
    pressureHandler: (request) => {
      if (!request.url.startsWith('/health/')) throw unavailable('The server is overloaded. Try again in a moment.')
    },
  })
}
