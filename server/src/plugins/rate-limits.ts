import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'
import { Problem } from '../problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** See the contract's `Endpoint`. */
    is_expensive?: true | 'with_password'
  }
}

const WINDOW = '1 minute'

/** Calls are counted by each server. */
export async function limitRates(app: FastifyInstance, { EXPENSIVE_RATE_LIMIT }: Pick<Env, 'EXPENSIVE_RATE_LIMIT'>) {
  app.addHook('onRoute', ({ config }) => {
    if (!config?.is_expensive) return
    config.rateLimit = {
      max: EXPENSIVE_RATE_LIMIT,
      timeWindow: WINDOW,
      // The user is known by then: hooks of a route run after those of the server.
      keyGenerator: ({ actor }) => String(actor.id),
      groupId: 'expensive',
      // Whether there is a password is known once the body was read.
      ...(config.is_expensive === 'with_password' && { hook: 'preHandler', allowList: hasNoPassword }),
      errorResponseBuilder: () => new Problem(429, 'You made too many calls like this. Wait a minute and try again.'),
    }
  })
  // Its own hook reads what the hook above has set.
  await app.register(rateLimit, { global: false })
}

function hasNoPassword({ body }: FastifyRequest) {
  const { password, current_password } = Object(body)
  return password === undefined && current_password === undefined
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
