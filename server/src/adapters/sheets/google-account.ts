import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseJson } from '@watchdesk/contract/json'
import { z } from 'zod'
import { StartError } from '../../env.ts'
import { GoogleRefusal, readJson, send, within } from './google-request.ts'
import type { GoogleSettings } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const TOKEN_MS = 20_000
const TOKEN_BYTES = 65_536
const LIFETIME_SECONDS = 3600
/** A token is given up before it ends, so that it does not end on its way. */
const MARGIN_SECONDS = 60

const KeyFile = z.object({
  type: z.literal('service_account', 'is not the key of a service account'),
  client_email: z.email('has no client_email'),
  private_key: z.string('has no private_key'),
  private_key_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https$/, error: 'has a token_uri that is no https address' }),
})
const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

export type ServiceAccount = { email: string; key: KeyObject; keyId: string | undefined; tokenAddress: string }

/** Read once, at the start: a bad key file is told at once, and never what stands in it. */
export async function readServiceAccount(file: string): Promise<ServiceAccount> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refused(`cannot be read (${error.code})`)
  })
  const json = parseJson(text)
  if (json === undefined) throw refused('is not valid JSON')
  const parsed = KeyFile.safeParse(json)
  if (!parsed.success) throw refused(parsed.error.issues[0]?.message ?? 'is not a key file')
  const { client_email, private_key, private_key_id, token_uri } = parsed.data
  return { email: client_email, key: parseKey(private_key), keyId: private_key_id, tokenAddress: token_uri }
}

function parseKey(pem: string) {
  const key = readKey(pem)
  if (key?.asymmetricKeyType !== 'rsa') throw refused('has a private_key that is no RSA key')
  return key
}

function readKey(pem: string) {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

function refused(what: string) {
  return new StartError(`GOOGLE_APPLICATION_CREDENTIALS: the file ${what}`)
}

/** Access tokens by the JWT bearer grant (RFC 7523), each used until shortly before its end. */
export function createTokens(account: ServiceAccount, scope: string, settings: GoogleSettings) {
  const address = settings.token ?? account.tokenAddress
  let current: { token: string; endsAt: number } | undefined
  let pending: Promise<string> | undefined

  async function fetchToken() {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion(account, scope, address),
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    // A time limit of its own: several calls may wait for the same token.
    const answer = await within({ ms: TOKEN_MS, firstWaitMs: settings.firstWaitMs }, async (deadline) => {
      const response = await send(address, { method: 'POST', headers, body: body.toString() }, deadline)
      return readJson(response, TokenAnswer, TOKEN_BYTES)
    }).catch((error: unknown) => {
      throw error instanceof GoogleRefusal && error.status < 500 && !error.isRate ? keyRefused(account) : error
    })
    current = { token: answer.access_token, endsAt: Date.now() + (answer.expires_in - MARGIN_SECONDS) * 1000 }
    return answer.access_token
  }

  return {
    get() {
      if (current && Date.now() < current.endsAt) return Promise.resolve(current.token)
      pending ??= fetchToken().finally(() => {
        pending = undefined
      })
      return pending
    },
    /** Google no longer takes it. */
    forget(token: string) {
      if (current?.token === token) current = undefined
    },
  }
}

export function keyRefused({ email }: Pick<ServiceAccount, 'email'>) {
  return new SheetError(
    `Google did not accept the key of ${email}. An operator must check the key file and the clock of this server.`,
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
