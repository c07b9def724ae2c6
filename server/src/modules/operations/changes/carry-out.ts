import { sql } from 'kysely'
import type { Actor } from '../../../actor.ts'
import { auditParts } from '../../../db/audit.ts'
import type { Trx } from '../../../db/open.ts'
import { lockRows } from '../../../db/records.ts'
import type { Env } from '../../../env.ts'
import { ChangedMeanwhile, type Run } from '../many-rows.ts'
import { saveRows } from '../record.ts'
import type { Counted } from './evaluate.ts'
import { actionOf, type BulkAction, type BulkKind, changesRecords, inRange, type Range } from './kind.ts'

/** Few enough for a progress that moves, and enough to cost nothing. */
const AT_ONCE = 5000

type Work = Pick<Run, 'progress'> & {
  env: Pick<Env, 'SMTP_URL'>
  action: BulkAction
  operation_id: number
  event_id: number
  counted: Counted
}

/** Events are written first, so that the records, whose people may want to work, are locked as late as possible. */
export async function carryOut(trx: Trx, actor: Actor, kind: BulkKind, work: Work) {
  const { env, action, operation_id, event_id, progress } = work
  const { changed_count, changed_fields: fields } = work.counted
  const { notify, auditMore, apply, finish, eventChanges } = actionOf(kind, action)
  const part = { action, entity: kind.entities.one, parent_id: event_id }
  await notify?.(trx, env, actor)
  // Events and records each count as half.
  for (const range of ranges(changed_count)) {
    await auditParts(trx, actor, part, partsIn(action, range, eventChanges))
    if (changesRecords(action)) await saveChanges(trx, kind, operation_id, action, range)
    progress(Math.floor((range.to - 1) / 2))
  }
  await auditMore?.(trx, actor, event_id)
  for (const range of ranges(changed_count)) {
    await lockRows(trx, kind.table, sql`id in (select id from chosen where ${inRange(range)})`, 'no key update')
    const changed = await apply?.(trx, actor, range, { event_id, fields })
    if (changed !== undefined && changed < range.to - range.from) throw new ChangedMeanwhile()
    progress(Math.floor((changed_count + range.to - 1) / 2))
  }
  await finish?.(trx)
}

function* ranges(count: number): Generator<Range> {
  for (let from = 1; from <= count; from += AT_ONCE) yield { from, to: Math.min(from + AT_ONCE, count + 1) }
}

function partsIn(action: BulkAction, range: Range, changes = sql`changes`) {
  const version = changesRecords(action) ? sql`version + 1` : sql`null::int`
  return sql`select id as entity_id, name as record_name, detail as record_detail, workspace_id, ${version} as version,
    ${changes} as changes from chosen where ${inRange(range)} order by place`
}

/** Keeps what an undo puts back: the fields that an update changes, or the version that a record has when it is deleted. */
async function saveChanges(trx: Trx, { entities }: BulkKind, operation_id: number, action: BulkAction, range: Range) {
  const side = (name: 'before' | 'after') =>
    sql`(select jsonb_object_agg(key, value -> ${sql.lit(name)}) from jsonb_each(changes))`
  const [before, after] =
    action === 'update' ? [side('before'), side('after')] : [sql`'{}'`, sql`jsonb_build_object('version', version + 1)`]
  await sql`insert into operation_changes (operation_id, entity, record_id, before, after)
    select ${operation_id}::int, ${entities.many}, id, ${before}, ${after} from chosen where ${inRange(range)}`.execute(
    trx,
  )
}

export function saveOutcomes(trx: Trx, kind: BulkKind, action: BulkAction, counted: Counted) {
  const { detailColumn } = kind
  const header = ['id', 'name', ...(detailColumn === undefined ? [] : [detailColumn]), 'change', 'outcome', 'reason']
  const done = actionOf(kind, action).verbs?.row
  const text = done ? sql`case when reason is null then ${done}::text else '' end` : CHANGES_TEXT
  const detail = detailColumn === undefined ? sql`` : sql`coalesce(detail, ''),`
  const rows = sql`select number as place, array[id::text, name, ${detail} ${text},
    case when reason is null then 'changed' else 'refused' end, coalesce(reason, '')] as cells from chosen`
  return saveRows(trx, header, outcomesOf(counted), rows)
}

export function outcomesOf({ changed_count: changed, refused_count: refused }: Counted): Record<string, number> {
  return { changed, ...(refused > 0 && { refused }) }
}

const LABELS = {
  workspace_id: 'workspace',
  is_admin: 'workspace admin',
  is_super_admin: 'super admin',
  trial_end_date: 'trial end',
  analytical_quota: 'analytical quota',
  ai_quota: 'AI quota',
  featureflags: 'feature flags',
  powerbi_dashboards: 'dashboards',
}

/** 'type: STANDARD → MODERATOR'. */
const CHANGES_TEXT = sql`(select string_agg(coalesce(${JSON.stringify(LABELS)}::jsonb ->> key, key) || ': ' || ${textOf('before')} || ' → ' || ${textOf('after')}, '; ' order by key)
  from jsonb_each(changes))`

function textOf(side: 'before' | 'after') {
  const value = sql`(value -> ${sql.lit(side)})`
  const text = sql`(${value} #>> '{}')`
  return sql`case when key = 'workspace_id' then coalesce((select name from workspaces where id = ${text}::int), ${text})
    when key = 'trial_end_date' then coalesce(left(${text}, 10), 'none')
    when key = 'powerbi_dashboards' then coalesce((select string_agg(coalesce(boards.name, listed.id), ', ' order by place)
      from jsonb_array_elements_text(${value}) with ordinality as listed (id, place)
      left join powerbi_dashboards as boards on boards.id = listed.id::int), 'none')
    else case jsonb_typeof(${value})
    when 'null' then 'none'
    when 'boolean' then case when ${value}::boolean then 'yes' else 'no' end
    when 'array' then coalesce((select string_agg(entry, ', ') from jsonb_array_elements_text(${value}) as entry), 'none')
    when 'object' then (${value} ->> 'balance') || ' of ' || (${value} ->> 'limit')
    else coalesce(nullif(${text}, ''), case key when 'language' then 'automatic' else 'none' end) end end`
}
