import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Env } from '../../../env.ts'

/** Brings the ID token from the end of the session to the page of the sign-out. */
export function signOutCookie(env: Pick<Env, 'PUBLIC_URL'>) {
  return createCookie('watchdesk_sso_out', env, { path: '/sso/logout', sameSite: 'Strict', seconds: 60 })
}

type Options = { path: string; sameSite: 'Lax' | 'Strict'; seconds: number }

/** With https, the prefix makes sure that no other host of the domain can set it, which requires the path `/`. */
export function createCookie(name: string, env: Pick<Env, 'PUBLIC_URL'>, { path, sameSite, seconds }: Options) {
  const isHttps = env.PUBLIC_URL?.startsWith('https:') ?? false
  const fullName = isHttps ? `__Host-${name}` : name
  const attributes = `Path=${isHttps ? '/' : path}; HttpOnly; SameSite=${sameSite}${isHttps ? '; Secure' : ''}`

  return {
    read({ headers }: FastifyRequest) {
      const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
      const value = pairs.find((pair) => pair.startsWith(`${fullName}=`))?.slice(fullName.length + 1)
      return value !== undefined && /^[\w.-]+$/.test(value) ? value : undefined
    },
    set: (reply: FastifyReply, value: string) => add(reply, value, seconds),
    clear: (reply: FastifyReply) => add(reply, '', 0),
  }

  function add(reply: FastifyReply, value: string, maxAge: number) {
    reply.header('set-cookie', `${fullName}=${value}; ${attributes}; Max-Age=${maxAge}`)
  }
}
