import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Starts a server on a free port, and returns its URL. */
export async function listen(server: Server, host = '127.0.0.1') {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

export async function close(server: Server & { closeAllConnections?(): void }) {
  server.closeAllConnections?.()
  server.close()
  await once(server, 'close')
}

/** A port that somebody had a moment ago and nobody has now. */
export async function freePort() {
  const server = createServer()
  const { port } = new URL(await listen(server))
  await close(server)
  return Number(port)
}
