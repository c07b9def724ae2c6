import { randomBytes } from 'node:crypto'
import type { NewAuthenticator } from '@watchdesk/contract/auth/session'
import { Secret, TOTP } from 'otpauth'
import { create as createQrCode } from 'qrcode'

const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
/** What every authenticator app supports. */
const OPTIONS = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS }
/** The clock of a phone may be half a minute wrong, and typing takes time. */
const WINDOW = 1

export function newSecret() {
  return randomBytes(SECRET_BYTES)
}

/** What the user enters into the app, or scans with it. The app shows the host, which distinguishes several servers. */
export function describeSecret(bytes: Buffer, label: string, PUBLIC_URL: string | undefined): NewAuthenticator {
  const secret = secretOf(bytes)
  const issuer = PUBLIC_URL === undefined ? 'Watchdesk' : `Watchdesk (${new URL(PUBLIC_URL).host})`
  const address = new TOTP({ ...OPTIONS, secret, issuer, label }).toString()
  return { secret: secret.base32, address, qr_code: qrCode(address) }
}

/** The time step that a code is of. Undefined if the code is wrong. */
export function stepOf(bytes: Buffer, token: string): number | undefined {
  if (!/^\d{6}$/.test(token)) return undefined
  const timestamp = Date.now()
  const delta = TOTP.validate({ ...OPTIONS, secret: secretOf(bytes), token, timestamp, window: WINDOW })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

function secretOf(bytes: Buffer) {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer })
}

/** One path of all dark squares: neighbours in a row are one rectangle. */
function qrCode(text: string) {
  const { size, data } = createQrCode(text, { errorCorrectionLevel: 'M' }).modules
  const rows = Array.from({ length: size }, (_, y) => Array.from(data.subarray(y * size, (y + 1) * size)).join(''))
  const path = rows.flatMap((row, y) =>
    Array.from(row.matchAll(/1+/g), ({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  return { size, path: path.join('') }
}
