import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseJson } from '@watchdesk/contract/json'
import { type CryptoKey, importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { StartError } from '../../env.ts'
import type { Deadline } from '../http.ts'
import { GoogleError, type GoogleRequest, readJson, sendGoogleRequest } from './google-request.ts'
import type { GoogleSettings } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const TOKEN_BYTES = 65_536
const MAX_RESPONSE_BYTES = 134_217_728
const SPREADSHEETS_SCOPE = 'https://www.googleapis.com/auth/spreadsheets'
const DRIVE_FILE_SCOPE = 'https://www.googleapis.com/auth/drive.file'
/** The only scope that can see a folder that the account did not create. */
const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive'

const KeyFile = z.object(
  {
    type: z.literal('service_account', 'is not the key of a service account'),
    client_email: z.email('has no client_email'),
    private_key: z.string('has no private_key'),
    private_key_id: z.string().optional(),
    token_uri: z.url({ protocol: /^https$/, error: 'has a token_uri that is not an https address' }),
  },
  { error: ({ input }) => (input === undefined ? 'is not valid JSON' : 'is not a key file') },
)
const TokenBody = z.object({ access_token: z.string().min(1) })

export type ServiceAccount = { email: string; key: CryptoKey | KeyObject; keyId?: string | undefined; tokenUrl: string }

/** Read once at startup, so that a bad key file fails early. Errors never contain its content. */
export async function readServiceAccount(file: string): Promise<ServiceAccount> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw badKeyFile(`cannot be read (${error.code})`)
  })
  const parsed = KeyFile.safeParse(parseJson(text))
  if (!parsed.success) throw badKeyFile(parsed.error.issues[0]?.message ?? 'is not a key file')
  const { client_email, private_key, private_key_id, token_uri } = parsed.data
  const key = await importPKCS8(private_key, 'RS256').catch(() => {
    throw badKeyFile('has a private_key that is not an RSA key')
  })
  return { email: client_email, key, keyId: private_key_id, tokenUrl: token_uri }
}

function badKeyFile(what: string) {
  return new StartError(`GOOGLE_APPLICATION_CREDENTIALS: the file ${what}`)
}

function keyRejected(email: string) {
  return new SheetError(
    `Google did not accept the key of ${email}. Ask your administrator to check the key file and the clock of this server.`,
  )
}

export type GoogleApi = Awaited<ReturnType<typeof openApi>>

/** All calls use one new token: reading or creating a sheet takes less than its hour. */
export async function openApi(account: ServiceAccount, settings: GoogleSettings, deadline: Deadline) {
  const headers = { authorization: `Bearer ${await requestToken()}` }
  const limitBytes = Math.min(settings.limitBytes, MAX_RESPONSE_BYTES)
  return { account, settings, call }

  /** By the JWT bearer grant (RFC 7523). */
  async function requestToken() {
    const scope = `${SPREADSHEETS_SCOPE} ${settings.folder === undefined ? DRIVE_FILE_SCOPE : DRIVE_SCOPE}`
    const address = settings.token ?? account.tokenUrl
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(account.keyId !== undefined && { kid: account.keyId }) })
      .setIssuer(account.email)
      .setAudience(address)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(account.key)
    const body = new URLSearchParams({ grant_type, assertion })
    const response = await sendGoogleRequest(address, { method: 'POST', body }, deadline, settings).catch((error) => {
      throw error instanceof GoogleError && error.status < 500 && !error.isRateLimit
        ? keyRejected(account.email)
        : error
    })
    return (await readJson(response, TokenBody, TOKEN_BYTES)).access_token
  }

  async function call<Schema extends z.ZodType>(
    url: string,
    schema: Schema,
    request: GoogleRequest = {},
    time: Deadline = deadline,
  ) {
    const response = await sendGoogleRequest(url, { ...request, headers }, time, settings).catch((error) => {
      throw error instanceof GoogleError ? explained(error, account.email) : error
    })
    return readJson(response, schema, limitBytes)
  }
}

function explained(error: GoogleError, email: string) {
  if (error.status === 401) return keyRejected(email)
  if (error.status !== 403 || !['SERVICE_DISABLED', 'accessNotConfigured'].includes(error.reason)) return error
  return new SheetError(`Ask your administrator to enable the Google Sheets API and the Google Drive API for ${email}.`)
}
