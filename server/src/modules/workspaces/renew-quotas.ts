import type { Workspace } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import { changesBetween, SYSTEM } from '../../db/audit.ts'
import { retriedTransaction } from '../../db/deadlock.ts'
import type { SystemDb, Trx } from '../../db/open.ts'
import { editRecord } from '../../db/records.ts'
import { nextRenewal, renewalDay } from './quota-renewal-dates.ts'
import { WORKSPACE } from './record.ts'

type Quota = Workspace['ai_quota']
/**
 * Renews the quotas whose date has come: the balance becomes the limit, and the date moves on by a month, or past today
 * if months were missed. Safe to run on every server at the same time: a row is locked, renewed and no longer due in one
 * transaction with its event. Rows that others hold are due again the next time. Returns the number of workspaces.
 */
export async function renewQuotas(db: SystemDb, today: string) {
  let count = 0
  for (const { id } of await selectDue(db, today).execute()) {
    if (await retriedTransaction(db, (trx) => renewWorkspace(trx, id, today))) count += 1
  }
  return count
}

/** As in the index. */
const DATE = sql`least(analytical_quota ->> 'renewal_date', ai_quota ->> 'renewal_date') collate "C"`

function selectDue(db: SystemDb, today: string) {
  const isDue = sql<boolean>`deleted_at is null and ${DATE} <= ${`${today}T00:00:00`}`
  return db.selectFrom('workspaces').select('id').where(isDue).orderBy(DATE).orderBy('id')
}

async function renewWorkspace(trx: Trx, id: number, today: string) {
  const due = selectDue(trx, today).where('id', '=', id).selectAll().forNoKeyUpdate().skipLocked()
  const workspace = await due.executeTakeFirst()
  if (!workspace) return false
  const analytical = renewed(workspace.analytical_quota, workspace.analytical_renewal_day, today)
  const ai = renewed(workspace.ai_quota, workspace.ai_renewal_day, today)
  const fields = {
    analytical_quota: JSON.stringify(analytical.quota),
    analytical_renewal_day: analytical.day,
    ai_quota: JSON.stringify(ai.quota),
    ai_renewal_day: ai.day,
  }
  const changes = changesBetween(workspace, { analytical_quota: analytical.quota, ai_quota: ai.quota })
  const record = { ...workspace, workspace_id: id }
  await editRecord(trx, SYSTEM, WORKSPACE, record, fields, { action: 'renew', changes })
  return true
}

function renewed(quota: Quota, remembered: number | null, today: string) {
  const date = quota.renewal_date.slice(0, 10)
  if (date > today) return { quota, day: remembered }
  const day = renewalDay(date, remembered)
  return {
    quota: { ...quota, balance: quota.limit, renewal_date: `${nextRenewal(date, day, today)}T00:00:00` },
    day,
  }
}
