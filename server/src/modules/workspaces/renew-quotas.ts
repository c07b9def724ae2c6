import type { Workspace } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import { changesBetween, SYSTEM } from '../../db/audit.ts'
import { retriedTransaction } from '../../db/deadlock.ts'
import type { SystemDb, Trx } from '../../db/open.ts'
import { editRecord } from '../../db/records.ts'
import { WORKSPACE } from './record.ts'

type Quota = Workspace['ai_quota']

/**
 * The balance becomes the limit, and the date moves on by a month, or past today if months were missed. Safe to run on
 * every server at the same time: rows that others hold are skipped. Returns the number of workspaces.
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

/** In a later month, on its day or the last one, and after today. */
export function nextRenewal(date: string, day: number, today: string) {
  const month = Math.max(monthOf(date) + 1, monthOf(today))
  const next = inMonth(month, day)
  return next > today ? next : inMonth(month + 1, day)
}

/**
 * The day of the month on which a quota is renewed. The remembered one says more than the date only in a month that is
 * too short for it: otherwise somebody has set another date since.
 */
export function renewalDay(date: string, remembered: number | null) {
  const isShortened = remembered !== null && inMonth(monthOf(date), remembered) === date
  return isShortened ? remembered : Number(date.slice(8, 10))
}

function monthOf(date: string) {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

function inMonth(month: number, day: number) {
  // Counted from 2000, because JavaScript reads years before 100 as those after 1900.
  const date = new Date(Date.UTC(2000, month - 2000 * 12 + 1, 0))
  date.setUTCDate(Math.min(day, date.getUTCDate()))
  return date.toISOString().slice(0, 10)
}
