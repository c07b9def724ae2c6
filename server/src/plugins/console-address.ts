import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'

const FIELDS_WITH_PATHS = ['created_sheet_url', 'sheet_url']

/** Origin and Host can be forged, so such an address only goes back to the same caller: stored values stay paths. */
export function addConsoleOrigin(app: FastifyInstance) {
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    const fields = Object(payload)
    const paths = FIELDS_WITH_PATHS.filter((name) => String(fields[name]).startsWith('/'))
    const origin = paths.length > 0 ? consoleOrigin(request) : undefined
    if (origin === undefined) return done(null, payload)
    done(null, { ...fields, ...Object.fromEntries(paths.map((name) => [name, origin + fields[name]])) })
  })
}

export function withoutConsoleOrigin(request: FastifyRequest, address: string) {
  const origin = consoleOrigin(request)
  return origin !== undefined && address.trim().startsWith(`${origin}/`) ? address.trim().slice(origin.length) : address
}

/** Pass the request only for links that go back to its caller: its headers can be forged. Empty without both. */
export function consoleAddress({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>, request?: FastifyRequest) {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL.replace(/\/+$/, '')
  return (request && consoleOrigin(request)) ?? ''
}

/** No proxy rewrites the Origin header, which browsers send. */
function consoleOrigin({ headers, protocol, host }: FastifyRequest) {
  return originOf(headers.origin) ?? originOf(`${protocol}://${host}`)
}

function originOf(text: string | undefined) {
  if (text === undefined || !URL.canParse(text)) return
  const { origin, protocol, username, password, pathname, search, hash } = new URL(text)
  const isPlain = pathname === '/' && [username, password, search, hash].every((part) => part === '')
  return isPlain && /^https?:$/.test(protocol) ? origin : undefined
}
