import { sql } from 'kysely'
import { lockSuperAdmins } from './entity.ts'
import type { Db, Trx } from './open.ts'

/** Users have access only while their workspace is in use: neither deleted nor deactivated. */
export const IN_USE = `workspaces.deleted_at is null and workspaces.status is distinct from 'DEACTIVATED'`
export const isInUse = sql.raw<boolean>(IN_USE)

/** Who may use the console, if their workspace is in use. */
export const HAS_ACCESS = '(users.is_admin or users.is_super_admin or users.is_auditor)'
export const userHasAccess = sql.raw<boolean>(HAS_ACCESS)

/** The super admins who can sign in, with their workspaces. */
export function superAdminsWithAccess(db: Db) {
  return db
    .selectFrom('users')
    .innerJoin('workspaces', 'workspaces.id', 'users.workspace_id')
    .select(['users.id', 'users.workspace_id'])
    .where('users.is_super_admin', '=', true)
    .where('users.deleted_at', 'is', null)
    .where(isInUse)
}

/**
 * The workspace that has to stay in use although these are to be deactivated: if they have all super admins who can sign
 * in, the first one that has any. Nobody can change that until the commit.
 */
export async function neededWorkspace(trx: Trx, workspace_ids: number[]): Promise<number | undefined> {
  await lockSuperAdmins(trx)
  const query = superAdminsWithAccess(trx).clearSelect().select('users.workspace_id').distinct()
  const homes = await query.orderBy('users.workspace_id').execute()
  return homes.every(({ workspace_id }) => workspace_ids.includes(workspace_id)) ? homes[0]?.workspace_id : undefined
}

/** Ends the links and tokens of users who were deleted, so that restoring them does not make these valid again. */
export async function endLinksAndTokensOfDeleted(trx: Trx) {
  for (const table of ['one_time_links', 'api_tokens'])
    await sql`delete from ${sql.table(table)} as ended using users
      where users.id = ended.user_id and users.deleted_at is not null`.execute(trx)
}

/** Ends the sessions of all users of workspaces, in the transaction in which they lose their access. */
export async function endSessionsOf(trx: Trx, workspace_ids: number[]) {
  await sql`delete from sessions using users
    where users.id = sessions.user_id and users.workspace_id = any(${workspace_ids}::int[])`.execute(trx)
}
