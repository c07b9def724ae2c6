import { bootstrap } from '../db/bootstrap.ts'
import { migrate } from '../db/migrate.ts'
import type { Database, SystemDb } from '../db/open.ts'
import { type Env, StartError } from '../env.ts'
import { createPasswords, type Passwords } from '../modules/auth/session/passwords.ts'
import { readCatalog } from '../modules/catalog/catalog.ts'
import { refuseNoEmail, resetPassword } from '../modules/users/reset-password.ts'
import { hasAccess } from '../modules/users/rules.ts'
import { createSemaphores } from '../semaphore.ts'
import { command } from './command.ts'

/** npm run reset-password -- [--create] EMAIL: works whether or not the server is running. */
export const run = ([email = '']: string[], { create = false }: { create?: boolean }) =>
  command((database, env) => reset(email, create, database, env), {
    share: true,
    before: async (env) => {
      refuseNoEmail(email)
      refuseUseless(email, create, env)
    },
  })

function refuseUseless(email: string, mayCreate: boolean, { PASSWORD_LOGIN }: Env) {
  if (PASSWORD_LOGIN === 'on') return
  const create = ` To create a super admin first: PASSWORD_LOGIN=on npm run reset-password -- --create ${email}`
  throw new StartError(
    `Nobody can sign in with a password on this server (PASSWORD_LOGIN=off). To sign in: npm run sign-in-link -- ${email}${mayCreate ? `.${create}` : ''}`,
  )
}

async function reset(email: string, mayCreate: boolean, { db, pool }: Database, env: Env) {
  await migrate(pool)
  const passwords = createPasswords(env, createSemaphores(env))
  const first = mayCreate && (await bootstrapFor(email, db, env, passwords))
  if (first) return report('Created the super admin', first)
  const user = await resetPassword(db, passwords, { email, mayCreate })
  report(user.isNew ? 'Created the super admin' : 'Reset the password of', user)
  if (user.activatedWorkspace)
    console.log(
      `The workspace ${user.activatedWorkspace} was deactivated. It has no status now, so its users can sign in.`,
    )
  if (user.deactivatedWorkspace)
    console.log(`The workspace ${user.deactivatedWorkspace} is deactivated, so this user cannot sign in.`)
  if (user.endedSessions > 0) console.log(`Sessions ended: ${user.endedSessions}`)
  if (user.hasSecondFactor)
    console.log(
      `A second factor is still needed to sign in. To sign in without it: npm run sign-in-link -- ${user.email}`,
    )
  if (!hasAccess(user)) console.log('This user is not an admin and cannot sign in to the console.')
}

/** A database that no server has initialized has no workspace for a super admin. */
async function bootstrapFor(email: string, db: SystemDb, env: Env, { hash }: Passwords) {
  const settings = { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: undefined }
  return bootstrap({ db, env: settings, hash, websiteConfig: await readCatalog(env.CATALOG_FILE) })
}

function report(done: string, { email, password }: { email: string; password: string | undefined }) {
  console.log(`${done} ${email}. The new password is ${password} (shown only this once)`)
}
