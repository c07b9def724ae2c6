import { randomInt } from 'node:crypto'
import { GENERATED_PASSWORD_CHARACTERS, GENERATED_PASSWORD_LENGTH } from '@watchdesk/contract/limits'
import { USER_DEFAULTS } from '@watchdesk/contract/users'
import { WEBSITE_CONFIG_DEFAULTS } from '@watchdesk/contract/website-config'
import { WORKSPACE_DEFAULTS } from '@watchdesk/contract/workspace-settings'
import { sql } from 'kysely'
import { type Env, StartError } from '../env.ts'
import { Problem } from '../problem.ts'
import type { Db, SystemDb } from './open.ts'
import { WORKSPACE_CONFIG } from './settings.ts'

type First = {
  db: SystemDb
  env: Pick<Env, 'BOOTSTRAP_ADMIN_EMAIL' | 'BOOTSTRAP_ADMIN_PASSWORD'>
  hash(password: string, person: { email: string; first_name: string; last_name: string }): Promise<string>
  websiteConfig: { default_case_types: string[]; default_stories_vectors_model: string }
}

/** The first super admin, or one whom an operator creates later. */
export const SUPER_ADMIN = { ...USER_DEFAULTS, first_name: 'Super', last_name: 'Admin', is_super_admin: true }

/** Creates the initial data in an empty database; returns the created account, if any. */
export async function bootstrap({ db, env, hash, websiteConfig }: First) {
  if (await db.selectFrom('website_config').select('version').executeTakeFirst()) return undefined
  const email = env.BOOTSTRAP_ADMIN_EMAIL
  const generated = env.BOOTSTRAP_ADMIN_PASSWORD === undefined ? generatePassword() : undefined
  const person = { ...SUPER_ADMIN, email }
  const password_hash = await hash(env.BOOTSTRAP_ADMIN_PASSWORD ?? generated ?? '', person).catch((error) => {
    throw error instanceof Problem ? new StartError(`Bad setting. BOOTSTRAP_ADMIN_PASSWORD: ${error.message}`) : error
  })

  return db.transaction().execute(async (trx) => {
    // Replicas may start together on one empty database: the first one initializes it.
    await sql`lock table website_config in exclusive mode`.execute(trx)
    if (await trx.selectFrom('website_config').select('version').executeTakeFirst()) return undefined
    const values = {
      ...WEBSITE_CONFIG_DEFAULTS,
      default_case_types: JSON.stringify(websiteConfig.default_case_types),
      default_stories_vectors_model: websiteConfig.default_stories_vectors_model,
    }
    await trx
      .insertInto('website_config')
      .values({ values: JSON.stringify(values), updated_by: null })
      .execute()
    const quota = JSON.stringify({ limit: 0, balance: 0, renewal_date: firstOfNextMonth() })
    const { description, trial_end_date } = WORKSPACE_DEFAULTS
    const workspace = await trx
      .insertInto('workspaces')
      .values({
        name: 'Internal',
        description,
        status: 'INTERNAL',
        trial_end_date,
        analytical_quota: quota,
        ai_quota: quota,
        config: JSON.stringify(WORKSPACE_CONFIG),
        updated_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const admin = { ...person, password_hash, workspace_id: workspace.id, updated_by: null }
    await trx.insertInto('users').values(admin).execute()
    return { email, password: generated }
  })
}

/** Whether the configured initial password does not work, which would surprise an operator who sets it now. */
export async function isIgnored(
  env: First['env'],
  db: Db,
  passwords: { verify(hash: string | undefined, password: string): Promise<boolean> },
) {
  if (env.BOOTSTRAP_ADMIN_PASSWORD === undefined) return false
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where(sql`lower(email)`, '=', env.BOOTSTRAP_ADMIN_EMAIL.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return !(await passwords.verify(user?.password_hash, env.BOOTSTRAP_ADMIN_PASSWORD))
}

export function generatePassword() {
  const characters = GENERATED_PASSWORD_CHARACTERS
  return Array.from({ length: GENERATED_PASSWORD_LENGTH }, () => characters[randomInt(characters.length)]).join('')
}

function firstOfNextMonth() {
  const now = new Date()
  return `${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)}T00:00:00`
}
