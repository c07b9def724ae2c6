import type { AuditEvent } from '@watchdesk/contract/audit'
import { type RawBuilder, sql } from 'kysely'

type Changes = AuditEvent['changes']

/** The maximum number of JSON characters for the changes of one event, so that a page of a hundred stays below 2 MB. */
const MAX_CHARACTERS = 16_000

/** The changes as JSON: as they are if they fit, otherwise with long values cut and marked. */
export function fitChanges(changes: Changes): string {
  const whole = JSON.stringify(changes)
  if (whole.length <= MAX_CHARACTERS) return whole
  const fields = Object.entries(changes)
  const share = Math.floor(MAX_CHARACTERS / (2 * fields.length))
  return JSON.stringify(
    Object.fromEntries(
      fields.map(([name, { before, after }]) => [name, { before: cut(before, share), after: cut(after, share) }]),
    ),
  )
}

function cut(value: unknown, most: number) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === undefined || text.length <= most) return value
  const note = `… (cut: ${text.length.toLocaleString('en')} characters in all)`
  // PostgreSQL rejects JSON with half a surrogate pair.
  return text.slice(0, Math.max(0, most - note.length)).replace(/[\uD800-\uDBFF]$/, '') + note
}

/** Events of earlier releases have no limit. PostgreSQL writes the same JSON with more spaces, hence the margin. */
const MAX_READ = sql.lit(2 * MAX_CHARACTERS)
const MAX_READ_PER_VALUE = sql.lit(400)
const MAX_READ_FIELDS = sql.lit(100)

/** The same for events saved before the limit existed. Very large changes are not converted to text at all. */
export const fittingChanges: RawBuilder<Changes> = sql<Changes>`case
  when pg_column_size(changes) > ${MAX_READ} then (
    select jsonb_object_agg(key, jsonb_build_object('before', null, 'after', '… (cut: too large to show)'))
    from (select jsonb_object_keys(changes) as key limit ${MAX_READ_FIELDS}) fields
  )
  when length(changes::text) <= ${MAX_READ} then changes
  else (
    select jsonb_object_agg(key, jsonb_build_object('before', ${cutInSql('before')}, 'after', ${cutInSql('after')}))
    from (
      select key, (value -> 'before')::text as before, (value -> 'after')::text as after
      from jsonb_each(changes) limit ${MAX_READ_FIELDS}
    ) fields
  ) end`

function cutInSql(side: 'before' | 'after') {
  const text = sql.ref(`fields.${side}`)
  return sql`case when length(${text}) <= ${MAX_READ_PER_VALUE} then ${text}::jsonb
    else to_jsonb(left(${text}, ${MAX_READ_PER_VALUE}) ||
      '… (cut: ' || to_char(length(${text}), 'FM999,999,999') || ' characters in all)') end`
}
