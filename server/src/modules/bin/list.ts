import type { BinQuery, BinRecord, EmailClash } from '@watchdesk/contract/bin'
import { CLASHES_AT_ONCE, DAYS_IN_BIN, PAGE_SIZE } from '@watchdesk/contract/limits'
import type { Page } from '@watchdesk/contract/page'
import { sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { isoTime } from '../../db/iso-time.ts'
import { likePart } from '../../db/list.ts'
import { isSeen } from '../../db/scope.ts'
import type { Deps } from '../../deps.ts'
import { found } from '../../problem.ts'
import type { RecordFacts } from '../activity/record-kind.ts'

export async function listBin({ read, records }: Deps, actor: Actor, query: BinQuery): Promise<Page<BinRecord>> {
  const kinds = Object.values(records.deletable)
  // Workspace admins see the users of their workspace only.
  const listed = kinds.filter(({ kind }) => (actor.seesEverything || kind === 'user') && kind === (query.kind ?? kind))
  const size = query.page_size ?? PAGE_SIZE
  if (listed.length === 0) return { objects: [], total: 0, size }
  const offset = ((query.page ?? 1) - 1) * size
  // Of a kind, there may be a million: only those up to the page are read, in the order of the index.
  const deleted = listed.map((facts) => {
    const { kind, table } = facts
    return sql`(select ${sql.lit(kind)} as kind, id, deleted_at from ${sql.table(table)}
      where ${isListed(actor, facts, query.search)} order by deleted_at desc, id desc limit ${offset + size})`
  })
  const counts = listed.map(
    (facts) => sql`(select count(*) from ${sql.table(facts.table)} where ${isListed(actor, facts, query.search)})`,
  )
  const total = sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`
  const page = sql<BinRecord>`select page.kind, page.id, rows.* from (
      select * from (${sql.join(deleted, sql` union all `)}) as deleted
      order by deleted_at desc, kind, id desc limit ${size} offset ${offset}
    ) as page cross join lateral (${rowOf(kinds)}) as rows order by page.deleted_at desc, kind, id desc`
  const [counted] = await read(total, { isSearch: true })
  const objects = await read(page, { isSearch: true })
  for (const { kind, bin } of kinds) {
    const ofKind = objects.filter((object) => object.kind === kind)
    const ids = ofKind.map(({ id }) => id)
    const problems = await bin.problems?.(read, actor, ids)
    for (const object of ofKind) object.problem = problems?.get(object.id) ?? null
  }
  return { objects, total: counted?.total ?? 0, size }
}

/** Users that were deleted with their workspace are not listed themselves. */
function isListed(actor: Actor, facts: RecordFacts, search: string | undefined) {
  return sql`deleted_at is not null
    ${facts.kind === 'user' ? sql`and not deleted_with_workspace` : sql``}
    and ${isSeen(actor, sql`workspace_id`)}
    ${search ? sql`and ${facts.bin.isFound?.(search) ?? likePart(sql`lower(${facts.name})`, search)}` : sql``}`
}

/** The offset makes the planner read one row by its id instead of a whole table. */
function rowOf(kinds: RecordFacts[]) {
  const rows = kinds.map(({ kind, table, name, bin }) => {
    const column = (field: string) => sql.ref(`${table}.${field}`)
    // The audit log also has the name of an author whose account no longer exists.
    const deleter = sql`(select case when actor_id is not null then json_build_object('id', actor_id, 'name', actor_name) end
      from audit_events where entity = ${sql.lit(kind)} and entity_id = ${column('id')} and action = 'delete'
      order by at desc, audit_events.id desc limit 1)`
    const { detail, workspace = sql`null::json`, deleted_by = deleter, users = sql`0`, workspaces = sql`0` } = bin
    return sql`(select ${name} as name, ${detail} as detail, ${workspace} as workspace,
        ${isoTime(column('deleted_at'))} as deleted_at, ${deleted_by} as deleted_by,
        greatest(0, ceil(extract(epoch from ${column('deleted_at')} + make_interval(days => ${sql.lit(DAYS_IN_BIN)}) - now())
          / 86400))::int as days_left, ${users} as users, ${workspaces} as workspaces
      from ${sql.table(table)} where page.kind = ${sql.lit(kind)} and ${column('id')} = page.id offset 0)`
  })
  return sql.join(rows, sql` union all `)
}

/** The users that return with a deleted workspace, and whose email another user has now. */
export async function listEmailClashes({ db, read }: Deps, id: number) {
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
