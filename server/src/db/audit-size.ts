import type { AuditEvent } from '@watchdesk/contract/activity'
import { sql } from 'kysely'

/** The maximum number of JSON characters for the changes of one event in a list, so that a page stays below 4 MB. */
const MAX_CHARACTERS = sql.lit(32_000)
const MAX_PER_VALUE = sql.lit(400)
const MAX_FIELDS = sql.lit(100)

const isVeryLarge = sql`pg_column_size(changes) > ${MAX_CHARACTERS}`

/** Whether `fittingChanges` differs from the changes. Very large changes are not converted to text at all. */
export const isCut = sql<boolean>`case when ${isVeryLarge} then true else length(changes::text) > ${MAX_CHARACTERS} end`

export const fittingChanges = sql<AuditEvent['changes']>`case
  when ${isVeryLarge} then (
    select jsonb_object_agg(key, jsonb_build_object('before', null, 'after', '… (cut: too large to show)'))
    from (select jsonb_object_keys(changes) as key limit ${MAX_FIELDS}) fields
  )
  when length(changes::text) <= ${MAX_CHARACTERS} then changes
  else (
    select jsonb_object_agg(key, jsonb_build_object('before', ${cutInSql('before')}, 'after', ${cutInSql('after')}))
    from (
      select key, (value -> 'before')::text as before, (value -> 'after')::text as after
      from jsonb_each(changes) limit ${MAX_FIELDS}
    ) fields
  ) end`

function cutInSql(side: 'before' | 'after') {
  const text = sql.ref(`fields.${side}`)
  return sql`case when length(${text}) <= ${MAX_PER_VALUE} then ${text}::jsonb
    else to_jsonb(left(${text}, ${MAX_PER_VALUE}) ||
      '… (cut: ' || to_char(length(${text}), 'FM999,999,999') || ' characters in all)') end`
}

/** Earlier releases cut long values when they saved an event, so that these cannot be put back. */
export function wasCut(value: unknown) {
  return typeof value === 'string' && /… \(cut: [\d,]+ characters in all\)$/.test(value)
}
