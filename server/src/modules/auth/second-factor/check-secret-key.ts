import type { SystemDb } from '../../../db/open.ts'
import { StartError } from '../../../env.ts'
import type { SecretKey } from './secret-key.ts'

/** No user has this id. */
const NOBODY = 0
const CONSTANT = Buffer.from('watchdesk')
const IF_LOST = 'If that key is lost: npm run new-secret-key'

/**
 * At the start: the key must be the one with which the secrets in the database were encrypted, also those of other servers.
 * Otherwise codes would be refused, and new secrets encrypted with another key than the rest.
 */
export async function checkSecretKey(db: SystemDb, secretKey: SecretKey) {
  const check = await db.selectFrom('secret_key_check').select('sealed').executeTakeFirst()
  if (!(await secretKey.exists())) {
    // A server that cannot encrypt does no harm while there is nothing to decrypt.
    if ((!check || !secretKey.isAvailable) && (await storedSecrets(db)).length === 0) return
    throw new StartError(
      `The secrets of authenticator apps in the database were encrypted with a key that this server does not have: ${secretKey.remedy}. ${IF_LOST}`,
    )
  }
  const sealed = check ? [{ user_id: NOBODY, secret: check.sealed }] : await storedSecrets(db)
  const opened = await Promise.all(sealed.map(({ user_id, secret }) => secretKey.canOpen(user_id, secret)))
  if (sealed.length > 0 && !opened.includes(true)) {
    throw new StartError(
      `The secrets of authenticator apps in the database were encrypted with another key: ${secretKey.remedy}. ${IF_LOST}`,
    )
  }
  if (check) return
  const mine = { sealed: await secretKey.seal(NOBODY, CONSTANT) }
  await db
    .insertInto('secret_key_check')
    .values(mine)
    .onConflict((at) => at.doNothing())
    .execute()
  // Another server that started at the same time may have been faster, with another key.
  await checkSecretKey(db, secretKey)
}

/** From now on, the key of this server is the right one. Secrets of an earlier key stay unreadable. */
export async function acceptSecretKey(db: SystemDb, secretKey: SecretKey) {
  const mine = { sealed: await secretKey.seal(NOBODY, CONSTANT) }
  await db
    .insertInto('secret_key_check')
    .values(mine)
    .onConflict((at) => at.column('id').doUpdateSet(mine))
    .execute()
}

/** Of a release that did not store the constant. After a change of the key, only some of them can be read. */
async function storedSecrets(db: SystemDb) {
  const rows = await db.selectFrom('authenticators').select(['user_id', 'secret', 'new_secret']).execute()
  return rows.flatMap(({ user_id, secret, new_secret }) =>
    [secret, new_secret].flatMap((stored) => (stored ? [{ user_id, secret: stored }] : [])),
  )
}
