import { type RawBuilder, sql } from 'kysely'
import type { Facts } from './rules.ts'

type Reading = <Row extends object>(query: RawBuilder<Row>) => Promise<Row[]>

/** What the rules ask about the workspaces and the emails of users. */
export async function factsOf(read: Reading, asked: { workspace_ids?: number[]; emails?: string[] }): Promise<Facts> {
  const { workspace_ids = [], emails = [] } = asked
  const ids = [...new Set(workspace_ids)]
  const workspaces =
    ids.length === 0
      ? []
      : await read(
          sql<{ id: number; name: string; isDeleted: boolean; isDeactivated: boolean }>`select id, name,
            deleted_at is not null as "isDeleted", status is not distinct from 'DEACTIVATED' as "isDeactivated"
          from workspaces where id = any(${ids}::int[])`,
        )
  const holders =
    emails.length === 0
      ? []
      : await read(
          sql<{ email: string; id: number; name: string; workspace_id: number }>`select lower(email) as email, id,
            full_name as name, workspace_id
          from users where lower(email) = any(${emails.map((email) => email.toLowerCase())}::text[]) and deleted_at is null`,
        )
  return {
    workspaces: new Map(workspaces.map(({ id, ...workspace }) => [id, workspace])),
    holders: new Map(holders.map(({ email, ...holder }) => [email, holder])),
  }
}
