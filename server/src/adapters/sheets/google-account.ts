import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseJson } from '@watchdesk/contract/json'
import { type CryptoKey, importPKCS8, SignJWT } from 'jose'
import { z } from 'zod'
import { StartError } from '../../env.ts'
import type { Deadline } from '../http.ts'
import { GoogleError, readJson, sendGoogleRequest } from './google-request.ts'
import type { GoogleSettings } from './google-settings.ts'
import { SheetError } from './sheets.ts'

const TOKEN_BYTES = 65_536

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

/** An access token by the JWT bearer grant (RFC 7523). */
export async function requestToken(
  account: ServiceAccount,
  scope: string,
  settings: GoogleSettings,
  deadline: Deadline,
): Promise<string> {
  const address = settings.token ?? account.tokenUrl
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const body = new URLSearchParams({ grant_type, assertion: await assertion(account, scope, address) })
  const response = await sendGoogleRequest(address, { method: 'POST', body }, deadline, settings).catch((error) => {
    throw error instanceof GoogleError && error.status < 500 && !error.isRateLimit ? keyRejected(account) : error
  })
  return (await readJson(response, TokenBody, TOKEN_BYTES)).access_token
}

export function keyRejected({ email }: Pick<ServiceAccount, 'email'>) {
  return new SheetError(
    `Google did not accept the key of ${email}. Ask your administrator to check the key file and the clock of this server.`,
  )
}

function assertion({ email, key, keyId }: ServiceAccount, scope: string, audience: string) {
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key)
}
