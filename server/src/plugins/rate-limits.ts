import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'
import { Problem } from '../problem.ts'

const WINDOW = '1 minute'

/** Calls are counted by each server, all expensive ones of a user together. */
export async function limitRates(app: FastifyInstance, { EXPENSIVE_RATE_LIMIT }: Pick<Env, 'EXPENSIVE_RATE_LIMIT'>) {
  await app.register(rateLimit, { global: false })
  const limit = app.rateLimit({
    max: EXPENSIVE_RATE_LIMIT,
    timeWindow: WINDOW,
    // The user is known by then: hooks of a route run after those of the server.
    keyGenerator: ({ actor }) => String(actor.id),
    errorResponseBuilder: () => new Problem(429, 'You made too many calls like this. Wait a minute and try again.'),
  })
  app.addHook('onRoute', (route) => {
    const is_expensive = route.config?.is_expensive
    if (is_expensive === true) route.onRequest = [route.onRequest ?? [], limit].flat()
    // Whether there is a password is known once the body was read.
    if (is_expensive === 'with_password') route.preHandler = [route.preHandler ?? [], limitPasswords].flat()
  })

  async function limitPasswords(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    if (hasPassword(request)) await limit.call(this, request, reply)
  }
}

function hasPassword({ body }: FastifyRequest) {
  const { password, current_password } = Object(body)
  return password !== undefined || current_password !== undefined
}

/** For calls that need no session: limits them by address. */
export function limited<Route extends { config: object }>(
  route: Route,
  { LOGIN_RATE_LIMIT }: Pick<Env, 'LOGIN_RATE_LIMIT'>,
): Route {
  const rateLimit = {
    max: LOGIN_RATE_LIMIT,
    timeWindow: WINDOW,
    errorResponseBuilder: () => new Problem(429, 'Too many sign-ins from your network. Wait a minute and try again.'),
  }
  return { ...route, config: { ...route.config, rateLimit } }
}
