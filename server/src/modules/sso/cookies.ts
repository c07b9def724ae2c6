import type { FastifyReply, FastifyRequest } from 'fastify'

type Options = { path: string; sameSite: 'Lax' | 'Strict'; seconds: number }

/**
 * A secret that only this browser has, and that no script reads. With https, the prefix of its name makes sure that no other
 * host of the domain can set it, which requires the path `/`.
 */
export function createCookie(name: string, isSecure: boolean, { path, sameSite, seconds }: Options) {
  const fullName = isSecure ? `__Host-${name}` : name
  const attributes = `Path=${isSecure ? '/' : path}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`

  return {
    read({ headers }: FastifyRequest) {
      const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
      const value = pairs.find((pair) => pair.startsWith(`${fullName}=`))?.slice(fullName.length + 1)
      return value !== undefined && /^[\w-]{1,200}$/.test(value) ? value : undefined
    },
    set: (reply: FastifyReply, value: string) => add(reply, value, seconds),
    clear: (reply: FastifyReply) => add(reply, '', 0),
  }

  function add(reply: FastifyReply, value: string, maxAge: number) {
    reply.header('set-cookie', `${fullName}=${value}; ${attributes}; Max-Age=${maxAge}`)
  }
}
