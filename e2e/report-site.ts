import { createServer } from 'node:http'
import { listen } from './free-port.ts'

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
  return { visits, ...(await listen(server)) }
}
