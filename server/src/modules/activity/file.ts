import type { AuditEvent } from '@watchdesk/contract/activity'
import { csvLine } from '@watchdesk/contract/csv'

type Row = AuditEvent & { cursor: string }
type Next = (before: string | undefined, size: number) => Promise<Row[]>

const BATCH = 500
/** Without a byte order mark, spreadsheet programs do not recognize UTF-8. */
const BYTE_ORDER_MARK = '\ufeff'
const COLUMNS = [
  'id',
  'at',
  'actor_id',
  'actor',
  'action',
  'entity',
  'entity_id',
  'record',
  'record_detail',
  'workspace_id',
  'workspace',
  'version',
  'changes',
  'is_cut',
  'parts',
  'ip',
]

/** Reads the events in batches, as fast as the caller takes them, so that a file of any length needs little memory. */
export async function* auditFile(format: 'csv' | 'jsonl', next: Next) {
  if (format === 'csv') yield BYTE_ORDER_MARK + csvLine(COLUMNS)
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
  const { id, at, actor, action, entity, entity_id, record, workspace, version, changes, is_cut, parts, ip } = event
  const cells = [
    id,
    at,
    actor?.id,
    actor?.name,
    action,
    entity,
    entity_id,
    record?.name,
    record?.detail,
    workspace?.id,
    workspace?.name,
    version,
    JSON.stringify(changes),
    is_cut,
    parts,
    ip,
  ]
  return csvLine(cells.map((cell) => String(cell ?? '')))
}
