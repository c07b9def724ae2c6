import { createHash, generateKeyPairSync } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject, decodeClientDataJSON, isoCBOR } from '@simplewebauthn/server/helpers'
import type { FastifyBaseLogger } from 'fastify'
import { Problem } from '../../../problem.ts'

export type Site = { origin: string; rpID: string }
export type Context = { site: Site; log: FastifyBaseLogger }
/** The answer of a browser, which may be anything. */
export type Answer = Record<string, unknown>
export type NamedAnswer = { name: string; answer: Answer }
type KnownPasskey = { credential_id: Buffer; transports: string[] }
/** `rp_id` is null for passkeys of an earlier release that were not used since. */
export type StoredPasskey = KnownPasskey & { public_key: Buffer; counter: number; rp_id: string | null }

export const CHALLENGE_MINUTES = 5
const CHALLENGE = /^[\w-]{1,200}$/
const UNKNOWN_CHALLENGE = 'The challenge is unknown or has expired'
const timeout = CHALLENGE_MINUTES * 60_000
/** Ed25519, P-256 and RSA, which all authenticators together support. The same on every version of Node. */
const ALGORITHMS = [-8, -7, -257]
/** The limit of WebAuthn. */
const MAX_ID_BYTES = 1023

type NewPasskey = { email: string; full_name: string; handle: Buffer; passkeys: KnownPasskey[] }

export async function creationOptions({ rpID }: Site, challenge: string, user: NewPasskey) {
  const options = await generateRegistrationOptions({
    rpName: 'Watchdesk',
    rpID,
    userID: Uint8Array.from(user.handle),
    userName: user.email,
    userDisplayName: user.full_name,
    challenge: bytesOf(challenge),
    timeout,
    attestationType: 'none',
    excludeCredentials: user.passkeys.map(descriptorOf),
    // Found without an email, so that it can also replace the password.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { options: { ...options } }
}

/** Without passkeys, the user chooses one. */
export async function requestOptions({ rpID }: Site, challenge: string, passkeys?: KnownPasskey[]) {
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: bytesOf(challenge),
    timeout,
    allowCredentials: passkeys?.map(descriptorOf),
    userVerification: passkeys ? 'preferred' : 'required',
  })
  return { options: { ...options } }
}

export function challengeOf({ response }: Answer): string | undefined {
  try {
    const { challenge } = decodeClientDataJSON(Object(response).clientDataJSON)
    return typeof challenge === 'string' && CHALLENGE.test(challenge) ? challenge : undefined
  } catch {
    return undefined
  }
}

export async function readNewPasskey({ site, log }: Context, challenge: string | undefined, answer: Answer) {
  try {
    if (challenge === undefined) throw new Error(UNKNOWN_CHALLENGE)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: withoutAttestation(answer),
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) throw new Error('The answer was not verified')
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    const credential_id = Buffer.from(id, 'base64url')
    if (credential_id.length > MAX_ID_BYTES) throw new Error(`The id has more than ${MAX_ID_BYTES} bytes`)
    return {
      credential_id,
      public_key: Buffer.from(publicKey),
      counter,
      rp_id: site.rpID,
      transports: transports.filter((name) => /^[\w-]{1,20}$/.test(name)).slice(0, 10),
    }
  } catch (error) {
    log.warn(`A new passkey was refused: ${error instanceof Error ? error.message : error}`)
    throw new Problem(422, 'This passkey could not be added. Try again, or use another one.')
  }
}

/** `handle` is null for users who have added no passkey since handles are random. */
type OwnedPasskey = StoredPasskey & { id: number; user_id: number; handle: Buffer | null }
type Expected = { challenge: string | undefined; passkey: OwnedPasskey | undefined; isAlone: boolean }

/** The answer of an unknown passkey is checked with another key, so that it takes the same time. */
export async function readUse(site: Site, answer: Answer, { challenge, passkey, isAlone }: Expected) {
  if (challenge === undefined) throw new Error(UNKNOWN_CHALLENGE)
  const { credential_id, public_key } = passkey ?? DECOY
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpID,
    credential: {
      id: credential_id.toString('base64url'),
      publicKey: Uint8Array.from(public_key),
      // The library would compare it before it checks the signature, which takes less time.
      counter: 0,
    },
    requireUserVerification: isAlone,
  })
  if (!verified) throw new Error('The signature is wrong')
  if (!passkey) throw new Error('The passkey is unknown')
  const { id, user_id, rp_id, counter, handle } = passkey
  // Without PUBLIC_URL, the site is what the request says.
  if (rp_id !== null && rp_id !== site.rpID) throw new Error('The passkey is for another host name')
  const { userHandle } = Object(answer.response)
  const isOwn = [handle, earlierHandleOf(user_id)].some((each) => each?.toString('base64url') === userHandle)
  if (userHandle && !isOwn) throw new Error('The passkey belongs to another user')
  const { newCounter } = authenticationInfo
  if (counter > 0 && newCounter <= counter) throw new Error('A copy of the passkey was used')
  return { id, user_id, counter: newCounter, rp_id: site.rpID }
}

/** Of passkeys from before handles were random. */
function earlierHandleOf(user_id: number) {
  return createHash('sha256').update(`watchdesk user ${user_id}`).digest()
}

/** To check a statement about the make of the authenticator, the library would send requests to addresses in it. */
function withoutAttestation(answer: Answer): RegistrationResponseJSON {
  const response = answer.response as RegistrationResponseJSON['response']
  const authData = decodeAttestationObject(bytesOf(response.attestationObject)).get('authData')
  const statement = new Map().set('fmt', 'none').set('attStmt', new Map()).set('authData', authData)
  const attestationObject = Buffer.from(isoCBOR.encode(statement)).toString('base64url')
  return { ...(answer as unknown as RegistrationResponseJSON), response: { ...response, attestationObject } }
}

function descriptorOf({ credential_id, transports }: KnownPasskey) {
  return { id: credential_id.toString('base64url'), transports }
}

function bytesOf(text: string) {
  return Uint8Array.from(Buffer.from(text, 'base64url'))
}

const DECOY = { credential_id: Buffer.alloc(16), public_key: decoyKey() }

/** A P-256 key that nobody has, in the format of passkeys (COSE). */
function decoyKey() {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  const parts = new Map().set(1, 2).set(3, -7).set(-1, 1).set(-2, bytesOf(x)).set(-3, bytesOf(y))
  return isoCBOR.encode(parts)
}
