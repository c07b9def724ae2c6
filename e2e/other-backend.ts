import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { listen } from './free-port.ts'

const CONSOLE = new URL('../console/dist/', import.meta.url)
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

type OtherBackend = {
  url: string
  /** Sets the responses to calls such as 'POST /api/v1/login'. */
  responses: Record<string, { status: number; body?: unknown }>
  /** The received calls, in order. */
  calls: { call: string; body: string }[]
  stop: () => Promise<void>
}

type Options = {
  /** The built console to serve in addition to the API. */
  files?: URL
  /** Whether CORS is allowed. */
  isOpen?: boolean
}

const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, if-match',
}

export async function startOtherBackend({ files = CONSOLE, isOpen = false }: Options = {}): Promise<OtherBackend> {
  const responses: OtherBackend['responses'] = {}
  const calls: OtherBackend['calls'] = []

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '/', 'http://backend')
    if (!pathname.startsWith('/api/')) return sendFile(files, pathname, response)
    const headers = isOpen ? OPEN : {}
    if (isOpen && request.method === 'OPTIONS') return response.writeHead(204, headers).end()
    const call = `${request.method} ${pathname}`
    calls.push({ call, body: (await request.toArray()).join('') })
    const { status, body } = responses[call] ?? { status: 404, body: { detail: 'Not Found' } }
    const isText = typeof body === 'string'
    response.writeHead(status, { ...headers, 'content-type': isText ? 'text/html' : 'application/json' })
    response.end(isText ? body : JSON.stringify(body))
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error) => response.destroy(error))
  })
  return { responses, calls, ...(await listen(server)) }
}

/** Sends a file of the built console; every address without an extension is its page. */
export async function sendFile(files: URL, pathname: string, response: ServerResponse) {
  const isPage = extname(pathname) === ''
  const name = isPage ? 'index.html' : pathname.slice(1)
  const content = await readFile(new URL(name, files))
  response.writeHead(200, {
    'content-type': TYPES[extname(name)] ?? 'text/plain',
    'cache-control': isPage ? 'no-cache' : 'max-age=31536000, immutable',
  })
  response.end(content)
}

export const IRYNA = {
  id: 7,
  first_name: 'Iryna',
  last_name: 'Shevchuk',
  email: 'iryna@civic.example',
  workspace_id: 3,
  workspace: { id: 3, name: 'Civic Pulse' },
  is_admin: true,
  is_super_admin: true,
  type: 'MODERATOR',
  language: null,
}

export function pageOf(...objects: object[]) {
  return { objects, total: objects.length, size: 20 }
}
