import { generateKeyPairSync, type KeyObject, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createGoogleSheets } from '../../src/adapters/sheets/google.ts'
import type { ServiceAccount } from '../../src/adapters/sheets/google-account.ts'
import type { GoogleSettings } from '../../src/adapters/sheets/google-settings.ts'
import type { SheetRow } from '../../src/adapters/sheets/sheets.ts'
import { type Caller, respondToApi, respondToExport } from './google-api.ts'
import { ApiError, type Document, newDocument } from './google-documents.ts'
import { close, listen } from './loopback.ts'
import { type GivenSheet, newSheet } from './sheet.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** How a service can fail. */
export type Fault =
  | 'drop'
  | 'hang'
  | 'bad JSON'
  | 'endless'
  | { status: number; body?: object; headers?: Record<string, string> }

export type Google = Awaited<ReturnType<typeof startGoogle>>

/** A fake of Google's token endpoint, Sheets v4, Drive v3 and CSV export, on loopback, for one service account. */
export async function startGoogle() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const state = {
    email: 'watchdesk@project-1.iam.gserviceaccount.com',
    documents: new Map<string, Document>(),
    /** Folders of shared drives that the account can write to. */
    folders: new Set<string>(),
    hasStorage: true,
    /** Email addresses without a Google account. */
    strangers: new Set<string>(),
    invited: [] as string[],
    tokenSeconds: 3600,
    tokens: new Map<string, Caller>(),
    requests: [] as { line: string; bytes: number }[],
  }
  const faults: { match: RegExp; fault: Fault; times: number }[] = []
  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => sendError(response, error))
  })

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', origin)
    const body = await text(request)
    const line = `${request.method} ${decodeURIComponent(url.pathname)}${url.search}`
    state.requests.push({ line, bytes: Buffer.byteLength(body) })
    const found = faults.find(({ match, times }) => times > 0 && match.test(line))
    if (found) {
      found.times -= 1
      return misbehave(response, found.fault)
    }
    if (url.pathname === '/token') return sendJson(response, 200, grant(body))
    if (/^\/(spreadsheets|export)\//.test(url.pathname)) return respondToExport(state, url, response)
    const caller = state.tokens.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
    if (!caller) throw new ApiError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')
    const result = respondToApi(request.method ?? '', { state, caller, url, body })
    if (result === undefined) response.writeHead(204).end()
    else sendJson(response, 200, result)
  }

  function grant(body: string) {
    const form = new URLSearchParams(body)
    const claims = checkAssertion(form.get('assertion') ?? '', publicKey)
    const now = Date.now() / 1000
    const good =
      form.get('grant_type') === GRANT &&
      claims?.iss === state.email &&
      claims.aud === `${origin}/token` &&
      Math.abs(claims.iat - now) < 60 &&
      claims.exp - claims.iat <= 3600
    if (!good) throw new GrantError()
    const access_token = `ya29.${randomBytes(16).toString('base64url')}`
    state.tokens.set(access_token, { email: state.email, scopes: claims.scope.split(' ') })
    return { access_token, expires_in: state.tokenSeconds, token_type: 'Bearer' }
  }

  const origin = await listen(server)

  return {
    state,
    origin,
    account: { email: state.email, key: privateKey, keyId: 'key-1', tokenUrl: `${origin}/token` },
    settings: {
      sheets: origin,
      drive: `${origin}/drive`,
      docs: origin,
      isAllowedRedirect: (url) => url.origin === origin,
      firstDelayMs: 1,
    } satisfies Partial<GoogleSettings>,
    add(document: Partial<Document>) {
      const added = newDocument(document)
      state.documents.set(added.id, added)
      return added
    },
    fail(match: RegExp, fault: Fault, times = Number.POSITIVE_INFINITY) {
      faults.push({ match, fault, times })
    },
    /** Resets faults and requests, but not documents. */
    calm() {
      faults.length = 0
      state.requests.length = 0
    },
    lines: () => state.requests.map(({ line }) => line),
    stop: () => close(server),
  }
}

/** Reads all rows at once, and creates sheets of rows in memory. */
export function openGoogle(account: ServiceAccount | undefined, settings: Partial<GoogleSettings> = {}) {
  const { create, read } = createGoogleSheets(account, settings)
  return {
    async read(reference: string, signal?: AbortSignal) {
      const rows: SheetRow[] = []
      const sheet = await read(reference, async (_header, part) => void rows.push(...part), signal)
      return { ...sheet, rows }
    },
    async create(sheet: GivenSheet, email: string) {
      if (!create) throw new Error('Without an account, no sheet can be created')
      const parts = async function* () {
        yield sheet.rows ?? []
      }
      return create(newSheet(sheet), parts(), email)
    },
  }
}

class GrantError extends ApiError {
  override readonly body = { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }
  constructor() {
    super(400, '', 'invalid_grant')
  }
}

function checkAssertion(assertion: string, key: KeyObject) {
  const [header = '', claims = '', signature = ''] = assertion.split('.')
  const isSigned = verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))
  if (!isSigned || decode<{ alg: string }>(header).alg !== 'RS256') return
  return decode<{ iss: string; scope: string; aud: string; iat: number; exp: number }>(claims)
}

function decode<Part>(part: string): Part {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

function misbehave(response: ServerResponse, fault: Fault) {
  if (fault === 'hang') return
  if (fault === 'drop') return response.destroy()
  if (fault === 'bad JSON') return response.writeHead(200, { 'content-type': 'application/json' }).end('{"sheets":')
  if (fault === 'endless') return pour(response.writeHead(200, { 'content-type': 'text/csv' }))
  response.writeHead(fault.status, fault.headers).end(JSON.stringify(fault.body ?? {}))
}

function pour(response: ServerResponse) {
  const chunk = `${'source_url\n'.repeat(5000)}`
  const more = () => {
    while (!response.destroyed && response.write(chunk)) {}
  }
  response.on('drain', more)
  more()
}

function sendJson(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body))
}

function sendError(response: ServerResponse, error: unknown) {
  if (error instanceof ApiError) return sendJson(response, error.status, error.body)
  response.destroy(error as Error)
}
