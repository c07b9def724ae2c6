import { sql } from 'kysely'
import type { SystemDb } from '../../../db/open.ts'
import { rowsOf } from '../../../db/read.ts'
import { StartError } from '../../../env.ts'
import type { SecretKey } from './secret-key.ts'

const NOBODY = 0
const CONSTANT = Buffer.from('watchdesk')

/** With another key, codes would be refused, and new secrets encrypted differently from the rest. */
export async function checkSecretKey(db: SystemDb, secretKey: SecretKey) {
  const check = await db.selectFrom('secret_key_check').select('sealed').executeTakeFirst()
  const hasKey = await secretKey.load()
  if (!hasKey) {
    // A server that cannot encrypt does no harm while there is nothing to decrypt.
    if ((!check || !secretKey.isAvailable) && (await storedSecrets(db)).length === 0) return
    throw wrongKey('a key that this server does not have', secretKey)
  }
  const sealed = check ? [{ user_id: NOBODY, secret: check.sealed }] : await storedSecrets(db)
  const opened = await Promise.allSettled(sealed.map(({ user_id, secret }) => secretKey.open(user_id, secret)))
  if (sealed.length > 0 && !opened.some(({ status }) => status === 'fulfilled'))
    throw wrongKey('another key', secretKey)
  if (check) return
  const mine = await secretKey.seal(NOBODY, CONSTANT)
  await sql`insert into secret_key_check (sealed) values (${mine}) on conflict do nothing`.execute(db)
  // Another server that started at the same time may have been faster, with another key.
  await checkSecretKey(db, secretKey)
}

export async function acceptSecretKey(db: SystemDb, secretKey: SecretKey) {
  const mine = await secretKey.seal(NOBODY, CONSTANT)
  await sql`insert into secret_key_check (sealed) values (${mine})
    on conflict (id) do update set sealed = excluded.sealed`.execute(db)
}

function wrongKey(used: string, { remedy }: SecretKey) {
  const what = `The secrets of authenticator apps in the database were encrypted with ${used}`
  return new StartError(`${what}: ${remedy}. If that key is lost: npm run new-secret-key`)
}

/** Of a release that did not store the constant. After a change of the key, only some of them can be read. */
function storedSecrets(db: SystemDb) {
  return rowsOf(
    db,
    sql<{ user_id: number; secret: Buffer }>`select user_id, stored.secret
      from authenticators cross join unnest(array[secret, new_secret]) as stored (secret) where stored.secret is not null`,
  )
}
