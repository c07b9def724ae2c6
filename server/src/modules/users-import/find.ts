import type { FoundUser } from '@watchdesk/contract/users-import'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Read } from '../../db/read.ts'

/**
 * The users with these emails. Workspace admins find those of their own workspace only: otherwise they could try out the
 * emails of everyone else.
 */
export function findUsers(read: Read, actor: Actor, emails: string[]): Promise<FoundUser[]> {
  const scope = actor.is_super_admin ? sql`true` : sql`users.workspace_id = ${actor.workspace_id}`
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
  return read(sql<FoundUser>`select users.id, users.email, users.full_name as name,
        json_build_object('id', workspaces.id, 'name', workspaces.name) as workspace
      from unnest(${wanted}::text[]) as wanted (email)
      cross join lateral (select * from users
        where lower(users.email) = wanted.email and users.deleted_at is null offset 0) as users
      join workspaces on workspaces.id = users.workspace_id where ${scope}`)
}
