import { ACCOUNT_EVENTS } from '@watchdesk/contract/account'
import {
  type AuditAction,
  type AuditEvent,
  type AuditFilters,
  type AuditPage,
  type AuditQuery,
  SIGN_IN_ENTITIES,
} from '@watchdesk/contract/activity'
import { EVENTS_AT_ONCE } from '@watchdesk/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { auditDownload } from '../../db/audit.ts'
import { fittingChanges, isCut } from '../../db/audit-size.ts'
import { isoTime } from '../../db/iso-time.ts'
import { likePart } from '../../db/list.ts'
import { isSeen } from '../../db/scope.ts'
import type { Deps } from '../../deps.ts'
import { found, Problem } from '../../problem.ts'

type Sql = RawBuilder<unknown>
type Row = AuditEvent & { cursor: string }
type Kinds = Deps['records']['deletable']

const NEW_AT_MOST = 100
export const CHANGES: AuditAction[] = ['create', 'update', 'put_back', 'renew', 'delete', 'restore']
const SECURITY_FIELDS = ['email', 'password', 'is_admin', 'is_super_admin', 'is_auditor', 'sessions']
const BEFORE_FIRST_EVENT = '0-0'

export function auditStore({ read, rights, records }: Pick<Deps, 'read' | 'rights' | 'records'>) {
  const kinds = records.deletable
  return { list, countNew, get, batch, ofAccount, noteDownload }

  async function list(actor: Actor, { before, page_size, ...filters }: AuditQuery): Promise<AuditPage> {
    checkRecord(filters)
    const size = page_size ?? EVENTS_AT_ONCE / 2
    const rows = await batch(actor, filters, before, size + 1)
    const events = rows.slice(0, size)
    return {
      objects: events.map(({ cursor: _, ...event }) => event),
      next: rows.length > size ? (events.at(-1)?.cursor ?? null) : null,
      newest: events[0]?.cursor ?? BEFORE_FIRST_EVENT,
    }
  }

  async function countNew(actor: Actor, { after, ...filters }: AuditFilters & { after: string }) {
    checkRecord(filters)
    const where = conditions(actor, { ...filters, after })
    const newer = sql<{ count: number }>`select count(*) from (
      select from audit_events where ${where} order by at desc, id desc limit ${sql.lit(NEW_AT_MOST)}) as newer`
    const [row] = await read(newer, { isSearch: true })
    return { count: row?.count ?? 0 }
  }

  async function get(actor: Actor, id: number): Promise<AuditEvent> {
    const event = sql<Row>`select ${columns(kinds, actor, { isWhole: true })} from audit_events
      where id = ${id} and ${scope(actor)}`
    const { cursor: _, ...rest } = found((await read(event))[0], 'Event')
    return rest
  }

  function batch(actor: Actor, filters: AuditFilters, before: string | undefined, size: number) {
    const where = conditions(actor, { ...filters, before })
    const page = sql`select id, at from audit_events where ${where} order by at desc, id desc limit ${size}`
    return read(rowsOf(page, kinds, actor), { isSearch: isFiltered(filters) })
  }

  /** The newest events about how the caller signs in. Each kind is read from the index, newest first. */
  async function ofAccount(actor: Actor): Promise<AuditEvent[]> {
    const newest = (entity: Sql, which: Sql) => sql`select id, at from audit_events
      where audit_events.entity = ${entity} and audit_events.entity_id = ${actor.id} and ${which}
      order by at desc, id desc limit ${sql.lit(ACCOUNT_EVENTS)}`
    const isOfSecurity = sql`changes ?| ${SECURITY_FIELDS}::text[]`
    const page = sql`(select id, at from unnest(${SIGN_IN_ENTITIES}::text[]) as kinds (kind)
        cross join lateral (${newest(sql`kinds.kind`, sql`true`)}) as newest)
      union all (${newest(sql`'user'`, isOfSecurity)})
      order by at desc, id desc limit ${sql.lit(ACCOUNT_EVENTS)}`
    return (await read(rowsOf(page, kinds, actor))).map(({ cursor: _, ...event }) => event)
  }

  function noteDownload(actor: Actor, query: AuditFilters & { format: string }) {
    checkRecord(query)
    return auditDownload(rights, actor, { entity: 'activity', workspace_id: actor.workspace_id }, query)
  }
}

function checkRecord({ entity, entity_id }: AuditFilters) {
  if (entity_id !== undefined && !entity)
    throw new Problem(422, 'Set the kind of the record (entity) in addition to its id (entity_id).')
}

function scope(actor: Actor) {
  return isSeen(actor, sql`audit_events.workspace_id`)
}

/** How many events match depends on the values, so the plan does too. */
function isFiltered({ entity_id, parent_id, changes_only: _, entity, ...others }: AuditFilters) {
  const isOfRecord = entity_id !== undefined || parent_id !== undefined
  return Object.values(others).some((value) => value !== undefined) || (entity !== undefined && !isOfRecord)
}

type Range = AuditFilters & { before?: string; after?: string }

function conditions(actor: Actor, query: Range): Sql {
  const { entity, entity_id, action, actor_id, workspace_id, from, to, search, before, after } = query
  return sql.join(
    [
      scope(actor),
      parts(actor, query),
      entity && sql`audit_events.entity = ${entity}`,
      entity_id !== undefined && sql`audit_events.entity_id = ${entity_id}`,
      action && sql`audit_events.action = ${action}`,
      actor_id !== undefined && sql`audit_events.actor_id = ${actor_id}`,
      workspace_id !== undefined && sql`audit_events.workspace_id = ${workspace_id}`,
      from && sql`audit_events.at >= ${from}::timestamptz`,
      to && sql`audit_events.at < ${to}::timestamptz`,
      search && likePart(SEARCHED, search),
      before && sql`(audit_events.at, audit_events.id) < ${position(before)}`,
      after && sql`(audit_events.at, audit_events.id) > ${position(after)}`,
    ].filter((condition) => typeof condition === 'object'),
    sql` and `,
  )
}

/** As in the index. */
const SEARCHED = sql`lower(coalesce(actor_name, '') || E'\n' || coalesce(record_name, '') || E'\n' || coalesce(record_detail, ''))`

/** Parts are listed under their event, except in the history of a record and in a workspace that their event is not in. */
function parts(actor: Actor, { parent_id, entity_id, workspace_id, changes_only }: AuditFilters): Sql {
  if (parent_id !== undefined) return sql`audit_events.parent_id = ${parent_id}`
  const all = changes_only ? sql`audit_events.action in (${sql.join(CHANGES)})` : sql`true`
  if (changes_only || entity_id !== undefined) return all
  if (!actor.seesEverything || workspace_id !== undefined) return sql`not audit_events.is_nested`
  // The second condition follows from the first, for the planner, which finds the indexes by it.
  return sql`audit_events.parent_id is null and not audit_events.is_nested`
}

function position(cursor: string): Sql {
  const [micros, id] = cursor.split('-')
  return sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`
}

/** The events of a page. Only they are joined with what they refer to. */
function rowsOf(page: Sql, kinds: Kinds, actor: Actor) {
  return sql<Row>`select events.* from (${page}) as page cross join lateral (
      select ${columns(kinds, actor)} from audit_events where audit_events.id = page.id offset 0
    ) as events order by page.at desc, page.id desc`
}

function columns(kinds: Kinds, actor: Actor, { isWhole = false } = {}): Sql {
  const ip = actor.seesEverything
    ? sql`ip`
    : sql`case when actor_id is null or exists (
        select from users where users.id = actor_id and users.workspace_id = ${actor.workspace_id}) then ip end as ip`
  return sql`audit_events.id,
    ${isoTime(sql`audit_events.at`)} as at,
    case when actor_name is not null then json_build_object('id', actor_id, 'name', actor_name) end as actor,
    action, entity, entity_id,
    case when record_name is not null
      then coalesce(${recordNow(kinds, actor)}, ${record(sql`'gone'`, sql`null`)}) end as record,
    case when audit_events.workspace_id is not null then json_build_object('id', audit_events.workspace_id,
      'name', (select name from workspaces where workspaces.id = audit_events.workspace_id)) end as workspace,
    audit_events.version, ${isWhole ? sql`changes` : sql`${fittingChanges} as changes`},
    ${isWhole ? sql`false` : isCut} as is_cut, parent_id,
    ${PARTS} as parts, ${ip},
    (extract(epoch from audit_events.at) * 1000000)::bigint || '-' || audit_events.id as "cursor"`
}

/** There may be a million in a change of many records, which knows their number. An import of users has few. */
const PARTS = sql`case when entity in ('users', 'workspaces', 'dashboards') and action <> 'import'
  then coalesce((audit_events.changes -> 'changed_count' ->> 'after')::bigint, 0)
  else (select count(*) from audit_events parts where parts.parent_id = audit_events.id) end`

/** The record, if it still exists. A user who was moved is out of reach of the former workspace's admins. */
function recordNow({ user, ...others }: Kinds, actor: Actor): Sql {
  const cases = Object.values(others).map(({ kind, table, name }) => {
    // The undo of a sheet's rows is about the operation.
    const isRecord = kind === 'sheet' ? sql`and action <> 'undo'` : sql``
    return sql`when entity = ${sql.lit(kind)} ${isRecord} then
      (select ${record(stateIn(table), name)} from ${sql.table(table)} where id = entity_id)`
  })
  return sql`case
    when entity in ('user', ${sql.join(SIGN_IN_ENTITIES.map((name) => sql.lit(name)))}) then
      (select ${record(stateIn('users'), user.name)} from users where id = entity_id and ${isSeen(actor, sql`users.workspace_id`)})
    ${sql.join(cases, sql` `)}
    else ${record(sql`'live'`, sql`record_name`)} end`
}

function record(state: Sql, current_name: Sql): Sql {
  return sql`json_build_object('name', record_name, 'detail', record_detail, 'state', ${state}, 'current_name', ${current_name})`
}

function stateIn(table: string) {
  return sql`case when ${sql.ref(`${table}.deleted_at`)} is null then 'live' else 'deleted' end`
}
