import type { PendingSignIn } from '@watchdesk/contract/auth/session'
import { Secret, TOTP } from 'otpauth'
import { type CreationOptions, type SoftPasskey, softPasskey } from './soft-passkey.ts'
import { type Caller, caller, PASSWORD, type Watchdesk } from './watchdesk.ts'

/** The code that an app shows now, or shows `steps` half minutes later. */
export function codeOf(secret: string, steps = 0) {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 })
}

export async function addAuthenticator(call: Caller) {
  const { body } = await call<{ secret: string }>('POST', '/api/v1/account/authenticator')
  const code = codeOf(body.secret)
  const url = '/api/v1/account/authenticator/confirm'
  const confirmed = await call<{ recovery_codes: string[] | null }>('POST', url, { code })
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body))
  return { secret: body.secret, code, recovery_codes: confirmed.body.recovery_codes }
}

export async function addPasskey(call: Caller, passkey: SoftPasskey = softPasskey(), name = 'Laptop') {
  const { body } = await call<{ options: CreationOptions }>('POST', '/api/v1/account/passkeys/options')
  const answer = passkey.create(body.options)
  const added = await call<{ passkey: { id: number }; recovery_codes: string[] | null }>(
    'POST',
    '/api/v1/account/passkeys/',
    { name, answer },
  )
  if (added.status !== 201) throw new Error(JSON.stringify(added.body))
  return { passkey, id: added.body.passkey.id, recovery_codes: added.body.recovery_codes }
}

/** The first half of a sign-in: the password is right, the second factor is missing. */
export async function halfSignIn({ app, anonymous }: Watchdesk, email: string, password = PASSWORD) {
  const { status, body } = await anonymous<PendingSignIn>('POST', '/api/v1/login', { email, password })
  if (status !== 200 || !body.sign_in_token) throw new Error(`${email} needs no second factor: ${JSON.stringify(body)}`)
  return Object.assign(caller(app, body.sign_in_token), { pending: body })
}
