import { BULK_RECORDS_AT_ONCE } from '@watchdesk/contract/limits'
import type { BulkPreview, BulkRecords, BulkRecordsQuery } from '@watchdesk/contract/operations/changes'
import type { Actor } from '../../../actor.ts'
import type { Db } from '../../../db/open.ts'
import { counter, evaluate, outcomeOf, planOf } from './evaluate.ts'
import type { BulkBody, BulkKind } from './kind.ts'

const EXAMPLES = 5

export async function previewChange(db: Db, actor: Actor, kind: BulkKind, body: BulkBody) {
  const { add, result } = counter()
  const tally = kind.tally(body)
  const changed: BulkPreview['changed'] = []
  const refused = new Map<string, BulkPreview['refused'][number]>()
  const plan = await planOf(db, actor, kind, body)
  for await (const evaluated of evaluate(db, actor, kind, plan)) {
    add(evaluated)
    const { row, after, changes, refusal, marks } = evaluated
    const example = { id: row.id, name: row.name }
    if (outcomeOf(evaluated) === 'changed') {
      tally.add({ row, action: body.action, after }, marks)
      if (changed.length < EXAMPLES) changed.push({ ...example, changes })
    }
    if (refusal === null) continue
    const group = refused.get(refusal) ?? { reason: refusal, count: 0, examples: [] }
    group.count += 1
    if (group.examples.length < EXAMPLES) group.examples.push(example)
    refused.set(refusal, group)
  }
  const counted = result()
  const preview: BulkPreview = {
    ...counted,
    changed,
    refused: [...refused.values()].sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
    notes: tally.notes(),
  }
  return { preview, counted, others: tally.others?.() ?? 0 }
}

export async function previewRecords(db: Db, actor: Actor, kind: BulkKind, query: BulkBody & BulkRecordsQuery) {
  const { after_id = 0, outcome, ...body } = query
  const records: BulkRecords['records'] = []
  for await (const evaluated of evaluate(db, actor, kind, await planOf(db, actor, kind, body), after_id)) {
    const { row, changes, refusal: reason } = evaluated
    if (outcomeOf(evaluated) !== outcome) continue
    if (records.length === BULK_RECORDS_AT_ONCE) return { records, has_more: true }
    records.push({ id: row.id, name: row.name, detail: row.detail, changes, reason })
  }
  return { records, has_more: false }
}
