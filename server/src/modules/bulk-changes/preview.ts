import type { BulkPreview } from '@watchdesk/contract/bulk-changes'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import type { Db } from '../../db/open.ts'
import { rowsOf } from '../../db/read.ts'
import { CHANGED_FIELDS, CHECKSUM, judged } from './judge.ts'
import type { BulkBody, BulkKind, Facts } from './kind.ts'

const EXAMPLES = sql.lit(5)

type Row = Omit<BulkPreview, 'notes'> & { facts: Facts | null }

/** What a change would do now. */
export async function previewChange(db: Db, actor: Actor, kind: BulkKind, body: BulkBody) {
  await kind.check(db, body)
  const [row] = await rowsOf(db, statement(kind, actor, body))
  if (!row) throw new Error('The preview has no row')
  const { facts, ...preview } = row
  return { preview: { ...preview, notes: kind.notes(facts ?? {}, body) }, facts: facts ?? {} }
}

function statement(kind: BulkKind, actor: Actor, body: BulkBody): RawBuilder<Row> {
  const example = sql`jsonb_build_object('id', id, 'name', name)`
  const isAllowed = sql`is_changed and reason is null`
  return sql<Row>`with judged as materialized (${judged(kind, actor, body)})
    select count(*) as count, count(*) filter (where ${isAllowed}) as changed_count,
      count(*) filter (where not is_changed) as unchanged_count, count(reason) as refused_count,
      ${CHECKSUM} as checksum, to_json(${CHANGED_FIELDS}) as changed_fields,
      (select coalesce(json_agg(${example} || jsonb_build_object('changes', changes)), '[]')
        from (select * from judged where ${isAllowed} order by id limit ${EXAMPLES}) as first) as changed,
      (select coalesce(json_agg(json_build_object('reason', reason, 'count', count, 'examples',
          (select json_agg(${example}) from (
            select id, name from judged where judged.reason = reasons.reason order by id limit ${EXAMPLES}) as first))
          order by count desc, reason), '[]')
        from (select reason, count(*) as count from judged where reason is not null group by reason) as reasons) as refused,
      (select to_jsonb(facts) from (${kind.facts(body.action, body)}) as facts) as facts
    from judged`
}
