import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer, type Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Env, StartError } from './env.ts'
import { SECURITY_HEADERS } from './plugins/security.ts'

/** Call it before anything is written: a server that cannot listen changes nothing. Until the app is ready, calls get 503. */
export async function bindPort({ HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>) {
  const starting = createHttpServer(respondWhileStarting)
  let current: Server = starting
  await listen(starting, { host: HOST, port: PORT }).catch((error: Error) => {
    throw new StartError(`Cannot listen on ${HOST} port ${PORT}: ${error.message}`)
  })
  const { address, port } = boundTo(starting)
  const others = await bindOthers()

  return {
    url: asUrl(address, port),
    async handOver(app: FastifyInstance) {
      await app.ready()
      await listen(app.server, starting)
      current = app.server
    },
    close() {
      for (const other of others) other.close()
      if (current === starting) starting.close()
    },
  }

  /** A name such as localhost can have an IPv4 and an IPv6 address, and clients use either. */
  async function bindOthers() {
    const known = HOST === 'localhost' ? await lookup(HOST, { all: true }).catch(() => []) : []
    const servers = known
      .filter((other) => other.address !== address)
      .map(async (other) => {
        const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
          current.emit('connection', socket),
        )
        // Addresses that this machine does not have are skipped.
        return listen(server, { host: other.address, port }).catch(() => undefined)
      })
    return (await Promise.all(servers)).filter((server) => server !== undefined)
  }
}

async function listen(server: NetServer, at: { host: string; port: number } | Server) {
  const listening = once(server, 'listening')
  server.listen(at)
  await listening
  return server
}

function boundTo(server: Server) {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('The server is not bound to a port')
  return bound
}

/** As a browser on this machine reaches it. */
export function asUrl(address: string, port: number) {
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[address] ?? (address.includes(':') ? `[${address}]` : address)
  return `http://${host}:${port}`
}

function respondWhileStarting(request: IncomingMessage, response: ServerResponse) {
  const isLive = request.url === '/health/live'
  const body = isLive ? { status: 'ok' } : { detail: 'The server is starting. Try again in a moment.' }
  response.writeHead(isLive ? 200 : 503, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    ...(!isLive && { 'retry-after': '1' }),
  })
  response.end(JSON.stringify(body))
}
