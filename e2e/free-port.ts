import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on any free port of loopback. */
export async function listen(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** For a server whose address others need before it starts. */
export async function freePort() {
  const { url, stop } = await listen(createServer())
  await stop()
  return new URL(url).port
}
