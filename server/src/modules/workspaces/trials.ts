import { type RawBuilder, sql } from 'kysely'
import { endSignIns, hasLastSuperAdmins } from '../../db/access.ts'
import { SYSTEM } from '../../db/audit.ts'
import { retriedTransaction } from '../../db/deadlock.ts'
import { lockSuperAdmins } from '../../db/entity.ts'
import type { SystemDb, Trx } from '../../db/open.ts'
import { editRecord } from '../../db/records.ts'
import { WORKSPACE } from './record.ts'

/** In memory: `trialEnd` of `rules.ts`. */
export function trialIsOver(today: RawBuilder<unknown>) {
  return sql<boolean>`workspaces.status = 'TRIAL' and workspaces.trial_end_date < ${today}`
}

type Row = { id: number; name: string; version: number }

/**
 * The workspace with the last super admin who can sign in is kept: the oldest of them, if several have ended. Safe to run
 * on every server at the same time.
 */
export async function endTrials(db: SystemDb, today: string) {
  const ended = { deactivated: [] as Row[], kept: [] as Row[] }
  for (const { id } of await select(db, today).orderBy('id', 'desc').execute()) {
    const end = await retriedTransaction(db, (trx) => endTrial(trx, id, today))
    if (end) ended[end.outcome].push(end.workspace)
  }
  return ended
}

function select(db: SystemDb, today: string) {
  const isOver = sql<boolean>`${trialIsOver(sql`${today}::date`)} and deleted_at is null`
  return db.selectFrom('workspaces').select(['id', 'name', 'version']).where(isOver)
}

async function endTrial(trx: Trx, id: number, today: string) {
  await lockSuperAdmins(trx)
  const workspace = await select(trx, today).where('id', '=', id).forNoKeyUpdate().skipLocked().executeTakeFirst()
  if (!workspace) return undefined
  if (await hasLastSuperAdmins(trx, id)) return { outcome: 'kept', workspace } as const
  await endSignIns(trx, sql`users.workspace_id = ${id}`)
  const changes = { status: { before: 'TRIAL', after: 'DEACTIVATED' } }
  await editRecord(trx, SYSTEM, WORKSPACE, { ...workspace, workspace_id: id }, { status: 'DEACTIVATED' }, { changes })
  return { outcome: 'deactivated', workspace } as const
}
