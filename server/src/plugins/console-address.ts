import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'

/** Response fields that may contain a console path. */
const FIELDS = ['created_sheet_url', 'sheet_url']

/**
 * Converts console paths in responses to full addresses. Without PUBLIC_URL, the host comes from the request: the
 * Origin header for browsers, which no proxy rewrites, otherwise Host. Both can be forged, so the address is only
 * returned to the same caller; stored values stay paths.
 */
export function addConsoleOrigin(app: FastifyInstance) {
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const values = FIELDS.map((name) => [name, Reflect.get(Object(payload), name)])
    const paths = values.filter(([, value]) => String(value).startsWith('/'))
    const origin = paths.length > 0 ? consoleOrigin(request) : undefined
    if (origin === undefined) return done(null, payload)
    done(null, { ...Object(payload), ...Object.fromEntries(paths.map(([name, path]) => [name, origin + path])) })
  })
}

/** The reverse: converts the address of a console page to its path. */
export function withoutConsoleOrigin(request: FastifyRequest, address: string) {
  const origin = consoleOrigin(request)
  return origin !== undefined && address.trim().startsWith(`${origin}/`) ? address.trim().slice(origin.length) : address
}

/**
 * The address of the console, without a slash at its end. It is taken from the request only for links that are returned
 * to the same caller. Empty if neither has one.
 */
export function consoleAddress({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>, request?: FastifyRequest) {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL.replace(/\/+$/, '')
  return (request && consoleOrigin(request)) ?? ''
}

function consoleOrigin({ headers, protocol, host }: FastifyRequest) {
  return originOf(headers.origin) ?? originOf(`${protocol}://${host}`)
}

/** Undefined if it is not a plain origin, such as `null`, or has a path or a password. */
function originOf(text: string | undefined) {
  if (text === undefined || !URL.canParse(text)) return
  const { origin, protocol, username, password, pathname, search, hash } = new URL(text)
  const isPlain = pathname === '/' && [username, password, search, hash].every((part) => part === '')
  return isPlain && /^https?:$/.test(protocol) ? origin : undefined
}
