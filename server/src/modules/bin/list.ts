import type { BinKind, BinQuery, BinRecord } from '@watchdesk/contract/bin'
import { DAYS_IN_BIN, MAX_PAGE_SIZE, PAGE_SIZE } from '@watchdesk/contract/limits'
import { keysOf } from '@watchdesk/contract/list'
import type { Page } from '@watchdesk/contract/page'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { isoTime } from '../../db/iso-time.ts'
import { likePart } from '../../db/list.ts'
import type { Read } from '../../db/read.ts'
import { RECORDS } from '../../db/records.ts'
import { factsOf } from '../users/facts.ts'
import { type Account, refusalToRestore } from '../users/rules.ts'
import { EMAIL_TAKEN } from '../workspaces/rules.ts'
import { withTakenEmails } from '../workspaces/users.ts'

type Sql = RawBuilder<unknown>
type Listed = BinRecord & { list_total: number; place: number | null }

/** How many users of a deleted workspace are checked for taken emails. The restore itself checks all of them. */
const CHECKED_USERS = 10_000

/** A page of the deleted records that the caller may see, the last deleted first. */
export async function listBin(read: Read, actor: Actor, query: BinQuery): Promise<Page<BinRecord>> {
  const size = query.page_size ?? PAGE_SIZE
  const offset = ((query.page ?? 1) - 1) * size
  const rows = await read(
    sql<Listed>`with deleted as materialized (${deletedRecords(actor, query, offset + size)})
      select list_total, place, page.kind, page.id, rows.* from (
        select (select count(*) from deleted where kind <> 'source') + ${countSources(actor, query)} as list_total
      ) as counted
      left join (
        (select *, row_number() over (order by deleted_at desc, kind, id desc) as place
          from (select * from (
            select * from deleted order by deleted_at desc, kind, id desc limit ${size} offset ${offset}
          ) as page limit ${sql.lit(MAX_PAGE_SIZE)}) as page) as page
        cross join lateral (${rowOf()}) as rows) on true order by place`,
    { isSearch: true },
  )
  const objects = rows.filter(({ place }) => place !== null).map(({ list_total: _, place: __, ...row }) => row)
  const problems = await problemsOf(read, actor, objects)
  for (const object of objects) object.problem = problems.get(`${object.kind} ${object.id}`) ?? null
  return { objects, total: rows[0]?.list_total ?? 0, size }
}

/** Workspace admins see the users of their workspace only. */
function deletedRecords(actor: Actor, { kind, search }: BinQuery, sourcesAtMost: number) {
  const kinds = (actor.seesEverything ? keysOf(RECORDS) : (['user'] as const)).filter((name) => name === (kind ?? name))
  if (kinds.length === 0) return sql`select '' as kind, 0 as id, now() as deleted_at where false`
  const selects = kinds.map((name) => {
    const select = sql`select ${sql.lit(name)} as kind, id, deleted_at
      from ${sql.table(RECORDS[name].table)} where ${isListed(actor, name, search)}`
    // There may be a million: only those up to the page are read, in the order of the index.
    return name === 'source' ? sql`(${select} order by deleted_at desc, id desc limit ${sourcesAtMost})` : select
  })
  return sql.join(selects, sql` union all `)
}

/** Users that were deleted with their workspace are not listed themselves. */
function isListed({ seesEverything, workspace_id }: Actor, kind: BinKind, search: string | undefined) {
  return sql`deleted_at is not null
    ${kind === 'user' ? sql`and not deleted_with_workspace` : sql``}
    ${seesEverything ? sql`` : sql`and workspace_id = ${workspace_id}`}
    ${search ? sql`and ${isFound(kind, search)}` : sql``}`
}

function isFound(kind: BinKind, search: string) {
  const hasText = likePart(sql`search_text`, search)
  if (kind === 'user') return hasText
  const isNamed = likePart(sql`lower(${RECORDS[kind].name})`, search)
  if (kind !== 'workspace') return isNamed
  return sql`(${isNamed} or id in (select workspace_id from users where deleted_with_workspace and ${hasText}))`
}

function countSources(actor: Actor, { kind, search }: BinQuery) {
  if (!actor.seesEverything || (kind ?? 'source') !== 'source') return sql`0`
  return sql`(select count(*) from sources where ${isListed(actor, 'source', search)})`
}

/** What the bin says of a record besides its name. */
const SHOWN: Record<BinKind, { detail: Sql; workspace?: Sql; users?: Sql; workspaces?: Sql }> = {
  user: {
    detail: sql`email`,
    workspace: sql`(select json_build_object('id', id, 'name', name) from workspaces where id = users.workspace_id)`,
  },
  workspace: {
    detail: sql`nullif(description, '')`,
    users: sql`(select count(*) from users where workspace_id = workspaces.id and deleted_with_workspace)`,
  },
  dashboard: {
    detail: sql`nullif(description, '')`,
    workspaces: sql`(select count(*) from workspace_dashboards join workspaces on workspaces.id = workspace_id
      where dashboard_id = powerbi_dashboards.id and workspaces.deleted_at is null)`,
  },
  sheet: { detail: sql`to_char(row_count, 'FM999,999,999') || case row_count when 1 then ' row' else ' rows' end` },
  source: { detail: sql`platform` },
}

/** The row of a record of the page. The offset makes the planner read one row by its id instead of a whole table. */
function rowOf() {
  const rows = keysOf(RECORDS).map((kind) => {
    const { table, name } = RECORDS[kind]
    const { detail, workspace = sql`null::json`, users = sql`0`, workspaces = sql`0` } = SHOWN[kind]
    return sql`(select ${name} as name, ${detail} as detail, ${workspace} as workspace, ${whenAndBy(table, kind)},
        ${users} as users, ${workspaces} as workspaces
      from ${sql.table(table)} where page.kind = ${sql.lit(kind)} and ${sql.ref(`${table}.id`)} = page.id offset 0)`
  })
  return sql.join(rows, sql` union all `)
}

/** Sources removed together have no event each, but nobody can change them afterwards. */
const lastEditor = sql`(select json_build_object('id', id, 'name', full_name) from users where id = sources.updated_by)`

/** The audit log also has the name of an author whose account no longer exists. */
function deleter(table: string, kind: BinKind) {
  return sql`(select case when actor_id is not null then json_build_object('id', actor_id, 'name', actor_name) end
    from audit_events where entity = ${sql.lit(kind)} and entity_id = ${sql.ref(`${table}.id`)} and action = 'delete'
    order by at desc, audit_events.id desc limit 1)`
}

function whenAndBy(table: string, kind: BinKind) {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`${isoTime(column('deleted_at'))} as deleted_at,
    ${kind === 'source' ? lastEditor : deleter(table, kind)} as deleted_by,
    greatest(0, ceil(extract(epoch from ${column('deleted_at')} + make_interval(days => ${sql.lit(DAYS_IN_BIN)}) - now())
      / 86400))::int as days_left`
}

/** Why some of them cannot be restored, by kind and id. */
async function problemsOf(read: Read, actor: Actor, objects: Pick<BinRecord, 'kind' | 'id'>[]) {
  const idsOf = (kind: BinKind) => objects.filter((object) => object.kind === kind).map(({ id }) => id)
  const problems = new Map<string, BinRecord['problem']>()
  const users = await read(
    sql<Deleted>`select id, workspace_id, email, is_admin, is_super_admin, is_auditor, deleted_by_super_admin
      from users where id = any(${idsOf('user')}::int[])`,
  )
  const facts = await factsOf(read, {
    workspace_ids: users.map(({ workspace_id }) => workspace_id),
    emails: users.map(({ email }) => email),
  })
  for (const user of users) problems.set(`user ${user.id}`, refusalToRestore(actor, user, facts) ?? null)
  const clashing = await read(withTakenEmails(idsOf('workspace'), CHECKED_USERS))
  for (const { id } of clashing)
    problems.set(`workspace ${id}`, { reason: 'email_taken', text: EMAIL_TAKEN, taken_by: null })
  return problems
}

type Deleted = Account & { email: string; deleted_by_super_admin: boolean }
