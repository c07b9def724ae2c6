import type { AuditEvent } from '@watchdesk/contract/activity'
import { csvLine } from '@watchdesk/contract/csv'
import { BYTE_ORDER_MARK } from '../../adapters/tables/write-csv.ts'

type Row = AuditEvent & { cursor: string }
type Next = (before: string | undefined, size: number) => Promise<Row[]>

const BATCH = 500

const COLUMNS: Record<string, (event: AuditEvent) => unknown> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  actor_id: ({ actor }) => actor?.id,
  actor: ({ actor }) => actor?.name,
  action: ({ action }) => action,
  entity: ({ entity }) => entity,
  entity_id: ({ entity_id }) => entity_id,
  record: ({ record }) => record?.name,
  record_detail: ({ record }) => record?.detail,
  workspace_id: ({ workspace }) => workspace?.id,
  workspace: ({ workspace }) => workspace?.name,
  version: ({ version }) => version,
  changes: ({ changes }) => JSON.stringify(changes),
  is_cut: ({ is_cut }) => is_cut,
  parts: ({ parts }) => parts,
  ip: ({ ip }) => ip,
}

/** Reads the events in batches, as fast as the caller takes them, so that a file of any length needs little memory. */
export async function* auditFile(format: 'csv' | 'jsonl', next: Next) {
  if (format === 'csv') yield BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS))
  let before: string | undefined
  for (;;) {
    const events = await next(before, BATCH)
    if (events.length > 0) yield events.map(format === 'csv' ? csvOf : jsonOf).join('')
    if (events.length < BATCH) return
    before = events.at(-1)?.cursor
  }
}

function jsonOf({ cursor: _, ...event }: Row) {
  return `${JSON.stringify(event)}\n`
}

function csvOf(event: Row) {
  return csvLine(Object.values(COLUMNS).map((cellOf) => String(cellOf(event) ?? '')))
}
