import { sql } from 'kysely'
import { Secret } from 'otpauth'
import { codeOf } from './second-factors.ts'
import { softPasskey } from './soft-passkey.ts'
import type { Watchdesk } from './watchdesk.ts'

/** Second factors and challenges that the generated tests know, so that a body can be valid before it is sent. */
const SECRET = Buffer.from('twenty secret bytes!')
export const KNOWN_PASSKEY = softPasskey()
export const CHALLENGES = { new: 'TmV3', second_factor: 'U2Vjb25k', sign_in: 'QWxvbmU' }

/** Valid for a minute: the app shows it next. */
export function knownCode() {
  return codeOf(new Secret({ buffer: Uint8Array.from(SECRET).buffer }).base32, 1)
}

export function requestOf(challenge: string) {
  return { challenge, rpId: 'localhost' }
}

export function newPasskey() {
  const answer = softPasskey().create({ challenge: CHALLENGES.new, rp: { id: 'localhost' }, user: { id: '' } })
  return { name: 'Laptop', answer }
}

export async function keepKnownPasskey({ database }: Watchdesk, user_id: number) {
  const { credential_id, public_key } = KNOWN_PASSKEY
  await sql`insert into passkeys (user_id, credential_id, public_key, counter, name)
    values (${user_id}, ${credential_id}, ${public_key}, 0, 'Known')
    on conflict (credential_id) do update set user_id = excluded.user_id`.execute(database.db)
}

/** So that there are not too many. The known one is left for other calls. */
export async function removePasskeys({ database }: Watchdesk, user_id: number) {
  await sql`delete from passkeys where user_id = ${user_id} and credential_id <> ${KNOWN_PASSKEY.credential_id}`.execute(
    database.db,
  )
}

export async function saveChallenge({ database }: Watchdesk, purpose: keyof typeof CHALLENGES, user_id: number | null) {
  await sql`insert into passkey_challenges (challenge, purpose, user_id, expires_at)
    values (${CHALLENGES[purpose]}, ${purpose}, ${user_id}, now() + interval '1 hour')
    on conflict (challenge) do update set user_id = excluded.user_id`.execute(database.db)
}

/** An authenticator app that is set up. */
export async function keepAuthenticator({ database, deps }: Watchdesk, user_id: number) {
  const sealed = await deps.secretKey.seal(user_id, SECRET)
  await sql`insert into authenticators (user_id, secret, confirmed_at) values (${user_id}, ${sealed}, now())
    on conflict (user_id) do update set secret = excluded.secret, last_step = 0, confirmed_at = now()`.execute(
    database.db,
  )
}

/** One whose first code is missing. */
export async function keepNewAuthenticator({ database, deps }: Watchdesk, user_id: number) {
  const sealed = await deps.secretKey.seal(user_id, SECRET)
  await sql`insert into authenticators (user_id, new_secret) values (${user_id}, ${sealed})
    on conflict (user_id) do update set new_secret = excluded.new_secret`.execute(database.db)
}
