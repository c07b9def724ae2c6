import { DAYS_IN_BIN } from '@watchdesk/contract/limits'
import { sql } from 'kysely'
import { audit, auditParts, SYSTEM } from '../../db/audit.ts'
import { inParts, longTransaction } from '../../db/long.ts'
import type { SystemDb } from '../../db/open.ts'
import { lockRows, removedRecords } from '../../db/records.ts'
import type { RecordKinds } from '../activity/record-kind.ts'

/** The same for all statements of a transaction. */
const EXPIRED = sql<boolean>`deleted_at < now() - make_interval(days => ${sql.lit(DAYS_IN_BIN)})`

/** Removes records deleted more than 30 days ago, and records it as one event with a part for each of them. */
export async function purgeBin(db: SystemDb, { deletable }: RecordKinds, maxMs: number) {
  // There may be too many sources for a part each.
  const { workspace, user, source: _, ...others } = deletable
  // Workspaces are locked before their users, like in a restore. Users are removed before their workspace.
  const locked = [workspace, user, ...Object.values(others)]
  const removed = [user, workspace, ...Object.values(others)]
  // Rows deleted together expire together, for example a workspace with a very large number of users.
  await longTransaction(db, maxMs, async (trx) => {
    const counts: [string, number][] = []
    // Locked rows can no longer be restored.
    for (const { kind, table } of locked) counts.push([kind, await lockRows(trx, table, EXPIRED, 'update')])
    const found = counts.filter(([, count]) => count > 0)
    if (found.length === 0) return
    const changes = Object.fromEntries(found.map(([kind, count]) => [`${kind}s`, { before: count, after: 0 }]))
    const parent_id = await audit(trx, SYSTEM, { action: 'purge', entity: 'bin', entity_id: null, changes })
    for (const each of removed) {
      await auditParts(trx, SYSTEM, { action: 'purge', entity: each.kind, parent_id }, removedRecords(each, EXPIRED))
      await sql`delete from ${sql.table(each.table)} where ${EXPIRED}`.execute(trx)
    }
  })
}

/** Few enough to be locked only for a moment, while somebody may restore one of them. */
const SOURCES_AT_ONCE = 20_000

/** In parts, because a million may have been removed at once. The event of each has only their number. */
export function purgeSources(db: SystemDb, maxMs: number, atOnce = SOURCES_AT_ONCE) {
  return inParts(db, maxMs, atOnce, async (trx) => {
    const first = sql`select id from sources where ${EXPIRED} order by deleted_at, id limit ${atOnce}
      for update skip locked`
    const deleted = await sql`delete from sources where id = any(array(${first}))`.execute(trx)
    const before = Number(deleted.numAffectedRows ?? 0)
    const changes = { sources: { before, after: 0 } }
    if (before > 0) await audit(trx, SYSTEM, { action: 'purge', entity: 'bin', entity_id: null, changes })
    return before
  })
}
