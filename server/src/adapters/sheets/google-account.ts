import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseJson } from '@watchdesk/contract/json'
import { z } from 'zod'
import { StartError } from '../../env.ts'
import { GoogleError, readJson, sendGoogleRequest, withTimeLimit } from './google-request.ts'
import type { GoogleSettings } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const TOKEN_MS = 20_000
const TOKEN_BYTES = 65_536
const LIFETIME_SECONDS = 3600
/** Tokens are renewed early, so that none expires in transit. */
const MARGIN_SECONDS = 60

const KeyFile = z.object({
  type: z.literal('service_account', 'is not the key of a service account'),
  client_email: z.email('has no client_email'),
  private_key: z.string('has no private_key'),
  private_key_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https$/, error: 'has a token_uri that is not an https address' }),
})
const TokenBody = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

export type ServiceAccount = { email: string; key: KeyObject; keyId: string | undefined; tokenUrl: string }

/** Read once at startup, so that a bad key file fails early. Errors never contain its content. */
export async function readServiceAccount(file: string): Promise<ServiceAccount> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw badKeyFile(`cannot be read (${error.code})`)
  })
  const json = parseJson(text)
  if (json === undefined) throw badKeyFile('is not valid JSON')
  const parsed = KeyFile.safeParse(json)
  if (!parsed.success) throw badKeyFile(parsed.error.issues[0]?.message ?? 'is not a key file')
  const { client_email, private_key, private_key_id, token_uri } = parsed.data
  return { email: client_email, key: parseKey(private_key), keyId: private_key_id, tokenUrl: token_uri }
}

function parseKey(pem: string) {
  const key = readKey(pem)
  if (key?.asymmetricKeyType !== 'rsa') throw badKeyFile('has a private_key that is not an RSA key')
  return key
}

function readKey(pem: string) {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

function badKeyFile(what: string) {
  return new StartError(`GOOGLE_APPLICATION_CREDENTIALS: the file ${what}`)
}

/** Access tokens by the JWT bearer grant (RFC 7523), each used until shortly before it expires. */
export function createTokens(account: ServiceAccount, scope: string, settings: GoogleSettings) {
  const address = settings.token ?? account.tokenUrl
  let current: { token: string; expiresAt: number } | undefined
  let pending: Promise<string> | undefined

  async function fetchToken() {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion(account, scope, address),
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    // Not the caller's deadline: several calls may wait for the same token.
    const granted = await withTimeLimit({ ms: TOKEN_MS }, async (deadline) => {
      const request = { method: 'POST', headers, body: body.toString() }
      const response = await sendGoogleRequest(address, request, deadline, settings)
      return readJson(response, TokenBody, TOKEN_BYTES)
    }).catch((error: unknown) => {
      throw error instanceof GoogleError && error.status < 500 && !error.isRateLimit ? keyRejected(account) : error
    })
    current = { token: granted.access_token, expiresAt: Date.now() + (granted.expires_in - MARGIN_SECONDS) * 1000 }
    return granted.access_token
  }

  return {
    get() {
      if (current && Date.now() < current.expiresAt) return Promise.resolve(current.token)
      pending ??= fetchToken().finally(() => {
        pending = undefined
      })
      return pending
    },
    /** Call it when Google rejected the token. */
    forget(token: string) {
      if (current?.token === token) current = undefined
    },
  }
}

export function keyRejected({ email }: Pick<ServiceAccount, 'email'>) {
  return new SheetError(
    `Google did not accept the key of ${email}. Ask your administrator to check the key file and the clock of this server.`,
  )
}

function assertion({ email, key, keyId }: ServiceAccount, scope: string, audience: string) {
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) }
  const claims = { iss: email, scope, aud: audience, iat: now, exp: now + LIFETIME_SECONDS }
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}

function encode(part: object) {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
