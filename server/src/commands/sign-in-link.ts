import { SIGN_IN_LINK_MINUTES } from '@watchdesk/contract/limits'
import { migrate } from '../db/migrate.ts'
import type { Database } from '../db/open.ts'
import type { Env } from '../env.ts'
import { asUrl } from '../listener.ts'
import { createSignInLink } from '../modules/auth/links/sign-in-link.ts'
import { refuseNoEmail } from '../modules/users/reset-password.ts'
import { command } from './command.ts'

/** npm run sign-in-link -- EMAIL: works whether or not the server is running. */
export const run = ([email = '']: string[]) =>
  command((database, env) => print(email, database, env), { share: true, before: async () => refuseNoEmail(email) })

async function print(email: string, { db, pool }: Database, env: Env) {
  await migrate(pool)
  const consoleAddress = env.PUBLIC_URL ?? asUrl(env.HOST, env.PORT)
  const { link, email: known } = await createSignInLink(db, { email, consoleAddress })
  console.log(`Open this link to sign in as ${known}. It works once, for ${SIGN_IN_LINK_MINUTES} minutes:\n${link}`)
  if (!env.PUBLIC_URL) console.log('If the console has another address, replace the part before /sign_in.')
}
