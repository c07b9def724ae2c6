import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { npm, root } from '../setup.mjs'

/** The registry is unreachable. Not a failure, so it has its own exit code. */
export class RegistryUnreachable extends Error {}

const NETWORK = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|E5\d\d)\b/
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Installs and builds the list in that folder, with the bundler of our console. */
export async function buildReactAdmin(folder) {
  cpSync(import.meta.dirname, folder, { recursive: true })
  install(folder)
  const { build } = await import(createRequire(join(root, 'console/package.json')).resolve('vite'))
  await build({ configFile: false, root: folder, logLevel: 'error', build: { chunkSizeWarningLimit: 2_000 } })
  return join(folder, 'dist')
}

function install(folder) {
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--fetch-retries=1']
  const [command, args] = npm('install', '--prefix', folder, ...options)
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  if (status === 0) return
  const output = error?.message ?? `${stdout}${stderr}`.trim()
  if (NETWORK.test(output))
    throw new RegistryUnreachable('react-admin cannot be fetched: the npm registry is unreachable.')
  throw new Error(`npm install failed:\n${output}`)
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
