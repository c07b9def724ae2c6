import { createHash, generateKeyPairSync } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject } from '@simplewebauthn/server/helpers'

/** The site that passkeys are for: they work at no other. */
export type Site = { origin: string; rpID: string }
/** The answer of a browser, which may be anything. */
export type Answer = Record<string, unknown>
export type KnownPasskey = { credential_id: Buffer; transports: string[] }
/** `rp_id` is null for passkeys of an earlier release that were not used since. */
export type StoredPasskey = KnownPasskey & { public_key: Buffer; counter: number; rp_id: string | null }

const NAME = 'Watchdesk'
export const CHALLENGE_MINUTES = 5
const CHALLENGE = /^[\w-]{1,200}$/
const timeout = CHALLENGE_MINUTES * 60_000
/** Ed25519, P-256 and RSA, which all authenticators together support. The same on every version of Node. */
const ALGORITHMS = [-8, -7, -257]
/** The limit of WebAuthn. */
const MAX_ID_BYTES = 1023

export function siteOf(origin: string): Site {
  return { origin, rpID: new URL(origin).hostname }
}

type NewPasskey = { email: string; full_name: string; handle: Buffer; passkeys: KnownPasskey[] }

/** What the browser needs to create a passkey. */
export function creationOptions({ rpID }: Site, challenge: string, user: NewPasskey) {
  return generateRegistrationOptions({
    rpName: NAME,
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
}

/** What the browser needs to use a passkey: one of those given, or any that the user chooses. */
export function requestOptions({ rpID }: Site, challenge: string, passkeys?: KnownPasskey[]) {
  return generateAuthenticationOptions({
    rpID,
    challenge: bytesOf(challenge),
    timeout,
    allowCredentials: passkeys?.map(descriptorOf),
    userVerification: passkeys ? 'preferred' : 'required',
  })
}

/** The challenge that the browser answers. Undefined if the answer is malformed. */
export function challengeOf(answer: Answer): string | undefined {
  const text = Reflect.get(Object(answer.response), 'clientDataJSON')
  if (typeof text !== 'string') return
  try {
    const challenge = Reflect.get(Object(JSON.parse(Buffer.from(text, 'base64url').toString())), 'challenge')
    return typeof challenge === 'string' && CHALLENGE.test(challenge) ? challenge : undefined
  } catch {
    return
  }
}

export function credentialOf({ id }: Answer): Buffer | undefined {
  return typeof id === 'string' ? Buffer.from(id, 'base64url') : undefined
}

/** The new passkey, or why the answer is wrong. */
export async function readNewPasskey(site: Site, challenge: string, answer: Answer): Promise<StoredPasskey | Error> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: withoutAttestation(answer),
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return new Error('The answer was not verified')
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    const credential_id = Buffer.from(id, 'base64url')
    if (credential_id.length > MAX_ID_BYTES) return new Error(`The id has more than ${MAX_ID_BYTES} bytes`)
    return {
      credential_id,
      public_key: Buffer.from(publicKey),
      counter,
      rp_id: site.rpID,
      transports: transports.filter((name) => /^[\w-]{1,20}$/.test(name)).slice(0, 10),
    }
  } catch (error) {
    return asError(error)
  }
}

type Expected = { challenge: string; passkey: OwnedPasskey | undefined; isAlone: boolean }
/** `handle` is null for users who have added no passkey since handles are random. */
export type OwnedPasskey = StoredPasskey & { user_id: number; handle: Buffer | null }

/**
 * The new counter of the passkey, or why the answer is wrong. The answer of an unknown passkey is checked with another
 * key, so that it takes the same time.
 */
export async function readUse(site: Site, answer: Answer, expected: Expected): Promise<number | Error> {
  const { challenge, passkey: known, isAlone } = expected
  const passkey = known ?? DECOY
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: Uint8Array.from(passkey.public_key),
        // The library would compare it before it checks the signature, which takes less time.
        counter: 0,
      },
      requireUserVerification: isAlone,
    })
    if (!verified) return new Error('The signature is wrong')
    if (!known) return new Error('The passkey is unknown')
    // Without PUBLIC_URL, the site is what the request says.
    if (known.rp_id !== null && known.rp_id !== site.rpID) return new Error('The passkey is for another host name')
    const handle: unknown = Reflect.get(Object(answer.response), 'userHandle')
    const isGiven = handle !== undefined && handle !== null && handle !== ''
    const handles = [known.handle, earlierHandleOf(known.user_id)].map((each) => each?.toString('base64url'))
    if (isGiven && !handles.some((each) => each === handle)) return new Error('The passkey belongs to another user')
    const { newCounter } = authenticationInfo
    if (passkey.counter > 0 && newCounter <= passkey.counter) return new Error('A copy of the passkey was used')
    return newCounter
  } catch (error) {
    return asError(error)
  }
}

/** Of passkeys from before handles were random. */
function earlierHandleOf(user_id: number) {
  return createHash('sha256').update(`watchdesk user ${user_id}`).digest()
}

/**
 * We ask for no statement about the make of the authenticator, and remove one that was sent all the same: to check it,
 * the library would send requests to addresses in it.
 */
function withoutAttestation(answer: Answer): RegistrationResponseJSON {
  const response = answer.response as RegistrationResponseJSON['response']
  const authData = decodeAttestationObject(bytesOf(response.attestationObject)).get('authData')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authData.length)
  const attestationObject = Buffer.concat([
    Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59', 'latin1'),
    length,
    authData,
  ])
  return {
    ...(answer as unknown as RegistrationResponseJSON),
    response: { ...response, attestationObject: attestationObject.toString('base64url') },
  }
}

function descriptorOf({ credential_id, transports }: KnownPasskey) {
  return { id: credential_id.toString('base64url'), transports }
}

function bytesOf(text: string) {
  return Uint8Array.from(Buffer.from(text, 'base64url'))
}

function asError(error: unknown) {
  return error instanceof Error ? error : new Error(String(error))
}

const DECOY: StoredPasskey = {
  credential_id: Buffer.alloc(16),
  public_key: decoyKey(),
  counter: 0,
  rp_id: null,
  transports: [],
}

/** A P-256 key that nobody has, in the format of passkeys (COSE). */
function decoyKey() {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}
