import { sql } from 'kysely'
import type { Db, Trx } from '../../db/open.ts'
import { type Read, rowsOf } from '../../db/read.ts'
import { invalid } from '../../problem.ts'

type Asked = { workspace_id: number; email?: string | undefined }

export type Facts = Awaited<ReturnType<typeof factsOf>>

/** What the rules ask about the workspaces and the emails of users. */
export async function factsOf(read: Read, users: Asked[]) {
  const ids = users.map(({ workspace_id }) => workspace_id)
  const emails = users.flatMap(({ email }) => email?.toLowerCase() ?? [])
  const workspaces = await read(
    sql<{ id: number; name: string; isDeleted: boolean; isDeactivated: boolean }>`select id, name,
        deleted_at is not null as "isDeleted", status is not distinct from 'DEACTIVATED' as "isDeactivated"
      from workspaces where id = any(${ids}::int[])`,
  )
  const holders = await read(
    sql<{ email: string; id: number; name: string; workspace_id: number }>`select lower(email) as email, id,
        full_name as name, workspace_id
      from users where lower(email) = any(${emails}::text[]) and deleted_at is null`,
  )
  return {
    workspaces: new Map(workspaces.map(({ id, ...workspace }) => [id, workspace])),
    /** By the email in lower case. */
    holders: new Map(holders.map(({ email, ...holder }) => [email, holder])),
  }
}

/** Without a deleted workspace, and a live one cannot be deleted or deactivated before the user is saved. */
export async function lockedFacts(trx: Trx, user: Asked) {
  const home = await liveWorkspace(trx, user.workspace_id).forShare().executeTakeFirst()
  return factsOf((query) => rowsOf(trx, query), home ? [user] : [])
}

export function liveWorkspace(db: Db, id: number) {
  return db.selectFrom('workspaces').select(['name', 'status']).where('id', '=', id).where('deleted_at', 'is', null)
}

export async function requireWorkspace(db: Db, id: number, { isLocked = false } = {}) {
  const workspace = liveWorkspace(db, id).$if(isLocked, (query) => query.forShare())
  if (!(await workspace.executeTakeFirst())) throw invalid('workspace_id', `Workspace ${id} does not exist.`)
}
