import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { endSignIns, neededWorkspace } from '../../db/access.ts'
import type { Trx } from '../../db/open.ts'
import { conflict } from '../../problem.ts'

/**
 * Ends the access of all users of workspaces that become DEACTIVATED, or refuses to. For the transaction of the change,
 * with the rows of the workspaces locked: until its commit, nobody can sign in there or be moved there. To prevent
 * deadlocks, call `lockSuperAdmins` before locking them.
 */
export async function endAccess(trx: Trx, actor: Pick<Actor, 'workspace_id'>, workspace_ids: number[]) {
  if (workspace_ids.includes(actor.workspace_id)) throw conflict('You cannot deactivate your own workspace.')
  if ((await neededWorkspace(trx, workspace_ids)) !== undefined)
    throw conflict('This workspace has the last super admin who can sign in, so it cannot be deactivated.')
  await endSignIns(trx, sql`users.workspace_id = any(${workspace_ids}::int[])`)
}
