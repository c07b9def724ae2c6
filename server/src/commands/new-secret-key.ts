import { migrate } from '../db/migrate.ts'
import { StartError } from '../env.ts'
import { acceptSecretKey } from '../modules/auth/second-factor/check-secret-key.ts'
import { createSecretKey } from '../modules/auth/second-factor/secret-key.ts'
import { command } from './command.ts'

/** npm run new-secret-key: after the key of authenticator apps was lost or replaced on purpose. */
export const run = () =>
  command(async ({ db, pool }, env) => {
    const secretKey = createSecretKey(env)
    if (!secretKey.isAvailable) throw new StartError('Set SECRET_KEY to the new key first')
    await migrate(pool)
    await acceptSecretKey(db, secretKey)
    console.log(
      `The key of authenticator apps is now ${secretKey.place}. Apps that were set up with another key no longer work: their ` +
        'users need a recovery code, a passkey or an admin who resets their second factor.',
    )
  })
