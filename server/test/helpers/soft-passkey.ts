import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** Where the console is open in tests without PUBLIC_URL: the host of `inject`. */
export const ORIGIN = 'http://localhost'

const FLAGS = { present: 0x01, verified: 0x04, hasCredential: 0x40 }

/** What the browser gets from the server. */
export type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }
export type RequestOptions = { challenge: string; rpId: string }
/** What makes an answer differ from that of an honest browser. */
type Twist = { origin?: string; rpId?: string; challenge?: string; isVerified?: boolean; userHandle?: string }

export type SoftPasskey = ReturnType<typeof softPasskey>

/** An authenticator with one passkey: a P-256 key, with real signatures. `counts` as hardware does; others always send 0. */
export function softPasskey({ counts = false, idBytes = 32 } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credential_id = randomBytes(idBytes)
  const id = credential_id.toString('base64url')
  const public_key = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
  const state = { counter: 0, handle: undefined as string | undefined }

  return { id, credential_id, public_key, state, create, get }

  /** The answer of `navigator.credentials.create`. */
  function create(options: CreationOptions, twist: Twist = {}) {
    state.handle = options.user.id
    const credential = Buffer.concat([Buffer.alloc(16), uint16(credential_id.length), credential_id, public_key])
    const authData = Buffer.concat([authenticatorData(options.rp.id, FLAGS.hasCredential, twist), credential])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return answer({
      clientDataJSON: clientData('webauthn.create', options.challenge, twist).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The answer of `navigator.credentials.get`. */
  function get(options: RequestOptions, twist: Twist = {}) {
    const authData = authenticatorData(options.rpId, 0, twist)
    const data = clientData('webauthn.get', options.challenge, twist)
    const signed = createSign('sha256').update(authData).update(createHash('sha256').update(data).digest())
    return answer({
      clientDataJSON: data.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signed.sign(privateKey).toString('base64url'),
      userHandle: twist.userHandle ?? state.handle,
    })
  }

  function answer(response: object) {
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  function authenticatorData(rpId: string, flags: number, twist: Twist) {
    if (counts) state.counter += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(state.counter)
    const verified = twist.isVerified === false ? 0 : FLAGS.verified
    const hash = createHash('sha256')
      .update(twist.rpId ?? rpId)
      .digest()
    return Buffer.concat([hash, Buffer.from([FLAGS.present | verified | flags]), counter])
  }
}

function clientData(type: string, challenge: string, twist: Twist) {
  const data = { type, challenge: twist.challenge ?? challenge, origin: twist.origin ?? ORIGIN, crossOrigin: false }
  return Buffer.from(JSON.stringify(data))
}

/** The part of CBOR that passkeys need: whole numbers, texts, bytes and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap((entry) => entry.map((each) => cbor(each)))])
  throw new Error('Not needed for passkeys')
}

function head(kind: number, length: number) {
  const type = kind << 5
  if (length < 24) return Buffer.from([type | length])
  if (length < 256) return Buffer.from([type | 24, length])
  return Buffer.concat([Buffer.from([type | 25]), uint16(length)])
}

function uint16(value: number) {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
