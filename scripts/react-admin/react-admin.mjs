import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { install } from '../npm.mjs'
import { root } from '../setup.mjs'

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Installs and builds the list in that folder, with the bundler of our console. */
export async function buildReactAdmin(folder) {
  cpSync(import.meta.dirname, folder, { recursive: true })
  await install(folder)
  const { build } = await import(createRequire(join(root, 'console/package.json')).resolve('vite'))
  await build({ configFile: false, root: folder, logLevel: 'error', build: { chunkSizeWarningLimit: 2_000 } })
  return join(folder, 'dist')
}

/** Serves the built list precompressed, like our own server, and proxies API calls to that address. */
export async function serve(folder, api) {
  const files = compressFiles(folder)
  const server = createServer((request, response) => {
    if (request.url.startsWith('/api/')) return forward(api, request, response)
    const path = request.url === '/' ? '/index.html' : request.url
    const content = files.get(path)
    if (content === undefined) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(path)], 'content-encoding': 'br' }).end(content)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

function compressFiles(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  return new Map(paths.map((path) => [`/${relative(folder, path)}`, brotliCompressSync(readFileSync(path))]))
}

function forward(api, { url, method, headers }, response) {
  send(api + url, { method, headers }, (upstream) => {
    response.writeHead(upstream.statusCode, upstream.headers)
    upstream.pipe(response)
  })
    .on('error', () => response.destroy())
    .end()
}
