import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Env } from '../env.ts'
import { Problem } from '../problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page of a sign-in, which the browser opens. */
    is_sign_in?: true
  }
}

type Limits = Pick<Env, 'EXPENSIVE_RATE_LIMIT' | 'LOGIN_RATE_LIMIT'>

/** Calls are counted by each server, all expensive ones of a user together. Those of a sign-in are limited by address. */
export async function limitRates(app: FastifyInstance, { EXPENSIVE_RATE_LIMIT, LOGIN_RATE_LIMIT }: Limits) {
  const signIns = {
    max: LOGIN_RATE_LIMIT,
    errorResponseBuilder: () => new Problem(429, 'Too many sign-ins from your network. Wait a minute and try again.'),
  }
  // Before the plugin, whose own hook reads this.
  app.addHook('onRoute', (route) => {
    if (route.config && isSignIn(route)) route.config = { ...route.config, rateLimit: signIns }
  })
  await app.register(rateLimit, { global: false, timeWindow: '1 minute' })
  const limit = app.rateLimit({
    max: EXPENSIVE_RATE_LIMIT,
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
    const { password, current_password } = Object(request.body)
    if (password !== undefined || current_password !== undefined) await limit.call(this, request, reply)
  }
}

/** A call that needs no session, and can be used to guess or to send mails. */
function isSignIn({ method, config }: RouteOptions) {
  if (config?.is_sign_in || config?.access === 'signing_in') return true
  return config?.access === 'public' && method === 'POST'
}
