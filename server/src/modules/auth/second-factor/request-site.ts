import type { FastifyRequest } from 'fastify'
import type { Env } from '../../../env.ts'
import { consoleAddress } from '../../../plugins/console-address.ts'
import { Problem } from '../../../problem.ts'
import type { Context, Site } from './passkeys.ts'

/** Passkeys are for the address that users open. Without PUBLIC_URL, that is the one of the request. */
export function siteOf(request: FastifyRequest, env: Pick<Env, 'PUBLIC_URL'>): Site {
  const address = consoleAddress(env, request)
  if (address === '') throw new Problem(400, 'Passkeys need the address of the console: send the header Origin.')
  const { origin, hostname } = new URL(address)
  return { origin, rpID: hostname }
}

export function contextOf(request: FastifyRequest, env: Pick<Env, 'PUBLIC_URL'>): Context {
  return { site: siteOf(request, env), log: request.log }
}
