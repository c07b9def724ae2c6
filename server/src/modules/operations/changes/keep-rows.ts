import { sql } from 'kysely'
import type { Trx } from '../../../db/open.ts'
import { createRowSet } from '../../../db/row-sets.ts'
import type { Counted } from './judge.ts'
import { actionOf, type BulkAction, type BulkKind } from './kind.ts'

/** Keeps the changed and the refused records of `chosen` as the rows of the import. Returns the id of the set. */
export async function keepRows(trx: Trx, kind: BulkKind, action: BulkAction, { changed, refused }: Counted) {
  const { detailColumn } = kind
  const header = ['id', 'name', ...(detailColumn === undefined ? [] : [detailColumn]), 'change', 'outcome', 'reason']
  const counts = outcomesOf({ changed, refused })
  const rows_id = await createRowSet(trx, { header, row_count: changed + refused, outcomes: JSON.stringify(counts) })
  const done = actionOf(kind, action).verbs?.row
  const text = done ? sql`case when reason is null then ${done}::text else '' end` : CHANGES_TEXT
  const detail = detailColumn === undefined ? sql`` : sql`coalesce(detail, ''),`
  await sql`insert into set_rows (set_id, number, cells, outcome)
    select ${rows_id}::int, number, array[id::text, name, ${detail} ${text}, outcome, coalesce(reason, '')],
      outcome
    from (select *, case when reason is null then 'changed' else 'refused' end as outcome from chosen) as chosen
    order by number`.execute(trx)
  return rows_id
}

/** The number of rows by outcome, without those that have none. */
export function outcomesOf({ changed, refused }: Pick<Counted, 'changed' | 'refused'>): Record<string, number> {
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
