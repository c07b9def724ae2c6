import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { canUsePasskeys } from './passkey-support.ts'

type Json = Record<string, unknown>
type Kind = 'create' | 'use'

/** The message can be shown. */
class PasskeyError extends Error {
  override name = 'PasskeyError'
}

/** Asks the browser for a new passkey, with the options of the server, and returns its answer for the server. */
export function createPasskey(options: Json): Promise<Json> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return ask('create', async () => ({ ...(await startRegistration({ optionsJSON })) }))
}

/** Asks the browser for a passkey that exists, with the options of the server, and returns its answer for the server. */
export function askForPasskey(options: Json): Promise<Json> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return ask('use', async () => ({ ...(await startAuthentication({ optionsJSON })) }))
}

async function ask(kind: Kind, work: () => Promise<Json>) {
  if (!canUsePasskeys()) throw new PasskeyError(notSupported())
  try {
    return await work()
  } catch (error) {
    throw new PasskeyError(textOf(kind, error))
  }
}

function textOf(kind: Kind, error: unknown) {
  const code = error instanceof WebAuthnError ? error.code : undefined
  const cause = error instanceof WebAuthnError ? error.cause : error
  switch (code) {
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
      return 'This device has a passkey for your account already. Use that one, or another device.'
    case 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT':
    case 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT':
    case 'ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG':
      return 'This device cannot keep a passkey that asks for your fingerprint, face or PIN. Use another device.'
    case 'ERROR_INVALID_DOMAIN':
    case 'ERROR_INVALID_RP_ID':
      return notSupported()
  }
  const isRefused = cause instanceof Error && /^(NotAllowed|Abort)Error$/.test(cause.name)
  // Browsers do not say which of these it was, so that sites cannot find out which passkeys a device has.
  if (isRefused && kind === 'use')
    return 'No passkey was used. You cancelled, it took too long, or this device has no passkey for you. Try again.'
  if (isRefused) return 'No passkey was added. You cancelled, or it took too long. Try again.'
  return 'The passkey did not work. Try again.'
}

function notSupported() {
  return `Passkeys do not work in this browser at ${window.location.host}. They need HTTPS and a domain name.`
}
