import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertUser } from '../../../../test/helpers/people.ts'
import { type RequestOptions, type SoftPasskey, softPasskey } from '../../../../test/helpers/soft-passkey.ts'
import { auc, boundsOf } from '../../../../test/helpers/timing.ts'
import { useWatchdesk } from '../../../../test/helpers/watchdesk.ts'

/** `TIMING_RUNS=300` takes enough measurements for the strict bounds. */
const RUNS = Number(process.env.TIMING_RUNS ?? 60)
const [LEAST, MOST] = boundsOf(RUNS)
const WARM_UP = 5

const watchdesk = useWatchdesk()

const rsaKey = rsaPublicKey()

/** The first failure of a user in a minute is recorded, so there is a new user for each attempt. */
const ATTEMPTS = {
  unknown: async () => softPasskey(),
  'known, with a wrong signature': async () => {
    const known = await keep(softPasskey(), 0)
    return { get: (options: RequestOptions) => ({ ...softPasskey().get(options), id: known.id, rawId: known.id }) }
  },
  'known, with an RSA key': () => keep({ ...softPasskey(), public_key: rsaKey }, 0),
  'known, with a lower counter': () => keep(softPasskey({ counts: true }), 1000),
}
type Kind = keyof typeof ATTEMPTS
const KINDS = Object.keys(ATTEMPTS) as Kind[]

test('the response time does not distinguish an unknown passkey from a known one that is refused', {
  timeout: 600_000,
}, async () => {
  const times = new Map(KINDS.map((kind) => [kind, [] as number[]]))
  for (let run = 1; run <= RUNS + WARM_UP; run++) {
    const kinds = KINDS.map((_, index) => KINDS[(run + index) % KINDS.length] ?? 'unknown')
    for (const kind of kinds) {
      const ms = await timeSignIn(kind)
      if (run > WARM_UP) times.get(kind)?.push(ms)
    }
  }
  const [unknown = [], ...known] = KINDS.map((kind) => times.get(kind) ?? [])
  const areas = known.map((each) => auc(each, unknown))
  console.log(
    `AUC of ${RUNS} + ${RUNS} passkeys: ${KINDS.slice(1).map((kind, n) => `${kind}: ${areas[n]?.toFixed(3)}`)}`,
  )
  for (const area of areas) {
    expect(area).toBeGreaterThan(LEAST)
    expect(area).toBeLessThan(MOST)
  }
})

async function timeSignIn(kind: Kind) {
  const passkey = await ATTEMPTS[kind]()
  const { body } = await watchdesk.anonymous<{ options: RequestOptions }>('POST', '/api/v1/login/passkey/options')
  const answer = passkey.get(body.options)
  const started = performance.now()
  const { status } = await watchdesk.anonymous('POST', '/api/v1/login/passkey', { answer })
  expect(status).toBe(401)
  return performance.now() - started
}

/** In the format of passkeys (COSE). */
function rsaPublicKey() {
  const { n = '' } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
  const [before, after] = [Buffer.from('a401030339010020590100', 'hex'), Buffer.from('2143010001', 'hex')]
  return Buffer.concat([before, Buffer.from(n, 'base64url'), after])
}

/** A passkey of a new user. */
async function keep(passkey: SoftPasskey, counter: number) {
  const { id: user_id } = await insertUser(watchdesk, { workspace_id: 1, is_admin: true })
  const { credential_id, public_key } = passkey
  await watchdesk.database.db
    .insertInto('passkeys')
    .values({ user_id, credential_id, public_key, counter, name: 'Laptop', transports: [] })
    .execute()
  return passkey
}
