import { sql } from 'kysely'
import { isInUse } from '../../../db/access.ts'
import type { SystemDb } from '../../../db/open.ts'
import { StartError } from '../../../env.ts'
import { consoleAddress as withoutSlash } from '../../../plugins/console-address.ts'
import { auditAccount } from '../audit-account.ts'
import { addressOf, createLink } from './store.ts'

const OPERATOR = { id: null, name: 'npm run sign-in-link', ip: null }

export function createSignInLink(
  system: SystemDb,
  { email, consoleAddress }: { email: string; consoleAddress: string },
) {
  return system.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .innerJoin('workspaces', 'workspaces.id', 'users.workspace_id')
      .select(['users.id', 'users.full_name', 'users.email', 'users.workspace_id', 'workspaces.name as workspace'])
      .select(['users.is_admin', 'users.is_super_admin', 'users.is_auditor', isInUse.as('is_in_use')])
      .where(sql`lower(email)`, '=', email.toLowerCase())
      .where('users.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!user) throw new StartError(`No user has the email ${email}.`)
    if (!user.is_admin && !user.is_super_admin && !user.is_auditor)
      throw new StartError(`${user.email} is not an admin and cannot sign in to the console.`)
    if (!user.is_in_use)
      throw new StartError(`The workspace ${user.workspace} is deactivated, so ${user.email} cannot sign in.`)
    const kind = 'sign_in'
    const { token } = await createLink(trx, { user_id: user.id, kind, created_by: null })
    const changes = { kind: { before: null, after: kind } }
    await auditAccount(trx, OPERATOR, user, { action: 'create', entity: 'link', changes })
    return { link: addressOf(withoutSlash({ PUBLIC_URL: consoleAddress }), kind, token), email: user.email }
  })
}
