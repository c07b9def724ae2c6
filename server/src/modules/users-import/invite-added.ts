import type { UsersImported } from '@watchdesk/contract/users-import'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Trx } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { invite } from '../auth/links/invite.ts'

type Added = { added: UsersImported; workspace_id: number; consoleAddress: string }

/**
 * Invites the users that a call has added without a password, and returns the links that are not sent by mail. A repeated
 * call invites them again, unless they have chosen a password or become someone whom the caller may not invite.
 */
export async function inviteAdded(
  trx: Trx,
  env: Pick<Env, 'SMTP_URL'>,
  actor: Actor,
  { added, workspace_id, consoleAddress }: Added,
) {
  const ids = added.rows.flatMap(({ user_id }) => user_id ?? [])
  const users = await trx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email', 'workspace_id', 'has_password'])
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .where('workspace_id', '=', workspace_id)
    .where('has_password', '=', false)
    .where('is_super_admin', '=', false)
    .where('is_auditor', '=', false)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const links = new Map<number, { link: string }>()
  for (const user of users) {
    const { link } = await invite(trx, env, actor, user, consoleAddress)
    if (link !== null) links.set(user.id, { link })
  }
  return links
}
