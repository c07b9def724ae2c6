import { sql } from 'kysely'
import { endSignIns, workspaceOfLastSuperAdmins } from '../../db/access.ts'
import { eventOf, SYSTEM } from '../../db/audit.ts'
import { retriedTransaction } from '../../db/deadlock.ts'
import { lockSuperAdmins } from '../../db/entity.ts'
import type { SystemDb, Trx } from '../../db/open.ts'
import { exists } from '../../db/read.ts'

const AT_ONCE = 100

type Row = { id: number; name: string; version: number }
type Ended = { deactivated: Row[]; kept: Row[] }

/**
 * Deactivates workspaces whose trial ended before today, and ends the sessions of their users. The workspace with the
 * last super admin who can sign in is kept. Safe to run on every server at the same time.
 */
export async function endTrials(db: SystemDb, today: string, atOnce = AT_ONCE): Promise<Ended> {
  const ended: Ended = { deactivated: [], kept: [] }
  for (let isMore = await hasEnded(db, today); isMore; ) {
    const part = await retriedTransaction(db, (trx) => endPart(trx, today, atOnce))
    ended.deactivated.push(...part.deactivated)
    ended.kept = part.kept
    isMore = part.deactivated.length + part.kept.length === atOnce && part.deactivated.length > 0
  }
  return ended
}

function isOver(today: string) {
  return sql<boolean>`status = 'TRIAL' and trial_end_date < ${today}::date and deleted_at is null`
}

/** Usually not, and then nothing is locked. */
function hasEnded(db: SystemDb, today: string) {
  return exists(db, sql`select from workspaces where ${isOver(today)}`)
}

async function endPart(trx: Trx, today: string, atOnce: number): Promise<Ended> {
  await lockSuperAdmins(trx)
  const rows = await trx
    .selectFrom('workspaces')
    .select(['id', 'name', 'version'])
    .where(isOver(today))
    .orderBy('id')
    .limit(atOnce)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  const needed = await workspaceOfLastSuperAdmins(
    trx,
    rows.map(({ id }) => id),
  )
  const deactivated = rows.filter(({ id }) => id !== needed)
  const kept = rows.filter(({ id }) => id === needed)
  if (deactivated.length === 0) return { deactivated, kept }
  const ids = deactivated.map(({ id }) => id)
  await endSignIns(trx, sql`users.workspace_id = any(${ids}::int[])`)
  await sql`update workspaces set status = 'DEACTIVATED', version = version + 1, updated_at = now(), updated_by = null
    where id = any(${ids}::int[])`.execute(trx)
  await trx.insertInto('audit_events').values(deactivated.map(endEvent)).execute()
  return { deactivated, kept }
}

function endEvent({ id, name, version }: Row) {
  const changes = { status: { before: 'TRIAL', after: 'DEACTIVATED' } }
  const record = { name, workspace_id: id, version: version + 1 }
  return eventOf(SYSTEM, { action: 'update', entity: 'workspace', entity_id: id, record, changes })
}
