import type { EmailClash } from '@watchdesk/contract/bin'
import { CLASHES_AT_ONCE } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'

/** The users that return with a deleted workspace, and whose email another user has now. */
export async function listEmailClashes({ db, read }: Pick<Deps, 'db' | 'read'>, id: number) {
  const deleted = db.selectFrom('workspaces').select('id').where('id', '=', id).where('deleted_at', 'is not', null)
  const [workspace] = await read(deleted)
  found(workspace, 'Deleted workspace')
  const rows = await read(
    sql<EmailClash & { total: number }>`select users.id, users.full_name as name, users.email,
        json_build_object('id', holders.id, 'name', holders.full_name) as taken_by, count(*) over () as total
      from users join users as holders on lower(holders.email) = lower(users.email) and holders.deleted_at is null
      where users.workspace_id = ${id} and users.deleted_with_workspace
      order by users.id limit ${CLASHES_AT_ONCE}`,
    { isSearch: true },
  )
  return { objects: rows.map(({ total: _, ...clash }) => clash), total: rows[0]?.total ?? 0 }
}
