import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const REPORT = '<!doctype html><html lang="en"><title>Reach</title><h1>Weekly reach</h1></html>'

/** A site on loopback: /report allows embedding, /refused does not, /silent never responds. */
export async function startReportSite() {
  const visits: { path: string; referer?: string }[] = []
  const server = createServer(({ url: path = '/', headers }, response) => {
    visits.push({ path, referer: headers.referer })
    if (path === '/silent') return
    if (path === '/refused') response.setHeader('x-frame-options', 'DENY')
    response.setHeader('content-type', 'text/html').end(REPORT)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
