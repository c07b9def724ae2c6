import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The fields of an answer that may lead to a page of the console. */
const FIELDS = ['created_sheet_url', 'sheet_url']

/**
 * Answers paths of the console as whole addresses. Without PUBLIC_URL the caller says how it reached us: browsers by
 * Origin, which no proxy rewrites, others by Host. Either is the caller's own word, so the address goes into the answer
 * to that caller alone; what is stored stays a path.
 */
export function answerWholeAddresses(app: FastifyInstance) {
  app.addHook('preSerialization', async (request, _reply, payload) => {
    if (payload === null || typeof payload !== 'object') return payload
    const paths = Object.entries(payload).filter(([name, value]) => FIELDS.includes(name) && isPath(value))
    const origin = paths.length > 0 ? consoleOrigin(request) : undefined
    if (origin === undefined) return payload
    return { ...payload, ...Object.fromEntries(paths.map(([name, path]) => [name, origin + path])) }
  })
}

/** The other way: the address of a page of ours, as such an answer had it, as its path. */
export function withoutConsoleOrigin(request: FastifyRequest, address: string) {
  const origin = consoleOrigin(request)
  return origin !== undefined && address.trim().startsWith(`${origin}/`) ? address.trim().slice(origin.length) : address
}

function isPath(value: unknown) {
  return typeof value === 'string' && value.startsWith('/')
}

function consoleOrigin({ headers, protocol, host }: FastifyRequest) {
  return originOf(headers.origin) ?? originOf(`${protocol}://${host}`)
}

/** Nothing for what is no plain origin, such as `null`, or one with a path or a password in it. */
function originOf(text: string | undefined) {
  if (text === undefined || !URL.canParse(text)) return
  const { origin, protocol, username, password, pathname, search, hash } = new URL(text)
  const isPlain = pathname === '/' && [username, password, search, hash].every((part) => part === '')
  return isPlain && /^https?:$/.test(protocol) ? origin : undefined
}
