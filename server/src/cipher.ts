import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
/** The first byte, so that another format can be distinguished. */
const FORMAT = Buffer.from([1])
const IV_BYTES = 12
const TAG_BYTES = 16

/** A key from a secret that nobody can guess. `purpose` makes keys of one secret differ. */
export function keyFrom(secret: string, purpose: string) {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

/** `owner` is not encrypted, but needed to decrypt: what is encrypted for one cannot be copied to another. */
export function encrypt(key: Buffer, content: Buffer, owner = ''): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner))
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()])
  return Buffer.concat([FORMAT, iv, cipher.getAuthTag(), encrypted])
}

export function decrypt(key: Buffer, sealed: Buffer, owner = ''): Buffer {
  const [iv, tag] = [sealed.subarray(1, 1 + IV_BYTES), sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)]
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES)), decipher.final()])
}
