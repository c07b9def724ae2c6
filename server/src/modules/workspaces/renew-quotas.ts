import type { Workspace } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'
import { changesBetween, eventOf, SYSTEM } from '../../db/audit.ts'
import { retriedTransaction } from '../../db/deadlock.ts'
import type { SystemDb, Trx } from '../../db/open.ts'
import { nextRenewal, renewalDay } from './renewal.ts'

/** Few enough that people who save or sign in wait for a moment only. */
const AT_ONCE = 100

type Quota = Workspace['ai_quota']
type Row = Pick<Workspace, 'id' | 'name' | 'version' | 'analytical_quota' | 'ai_quota'> & {
  /** The remembered days of the month. */
  analytical_renewal_day: number | null
  ai_renewal_day: number | null
}

/**
 * Renews the quotas whose date has come: the balance becomes the limit, and the date moves on by a month, or past today
 * if months were missed. Safe to run on every server at the same time: a row is locked, renewed and no longer due in one
 * transaction with its event. Rows that others hold are due again the next time. Returns the number of workspaces.
 */
export async function renewQuotas(db: SystemDb, today: string, atOnce = AT_ONCE) {
  let renewed = 0
  for (let count = atOnce; count === atOnce; renewed += count) {
    count = await retriedTransaction(db, (trx) => renewPart(trx, today, atOnce))
  }
  return renewed
}

async function renewPart(trx: Trx, today: string, atOnce: number) {
  const date = sql`least(analytical_quota ->> 'renewal_date', ai_quota ->> 'renewal_date') collate "C"`
  const { rows } =
    await sql<Row>`select id, name, version, analytical_quota, analytical_renewal_day, ai_quota, ai_renewal_day
    from workspaces where deleted_at is null and ${date} <= ${`${today}T00:00:00`}
    order by ${date}, id limit ${atOnce} for no key update skip locked`.execute(trx)
  if (rows.length === 0) return 0
  const renewals = rows.map((row) => ({ row, after: renewedQuotas(row, today) }))
  await sql`update workspaces set analytical_quota = given.analytical_quota, ai_quota = given.ai_quota,
      analytical_renewal_day = given.analytical_renewal_day, ai_renewal_day = given.ai_renewal_day,
      version = version + 1, updated_at = now(), updated_by = null
    from jsonb_to_recordset(${JSON.stringify(renewals.map(({ row, after }) => ({ id: row.id, ...after })))}::jsonb) as given
      (id int, analytical_quota jsonb, analytical_renewal_day smallint, ai_quota jsonb, ai_renewal_day smallint)
    where workspaces.id = given.id`.execute(trx)
  await trx
    .insertInto('audit_events')
    .values(renewals.map(({ row, after }) => renewalEvent(row, after)))
    .execute()
  return rows.length
}

function renewedQuotas({ analytical_quota, analytical_renewal_day, ai_quota, ai_renewal_day }: Row, today: string) {
  const analytical = renewed(analytical_quota, analytical_renewal_day, today)
  const ai = renewed(ai_quota, ai_renewal_day, today)
  return {
    analytical_quota: analytical.quota,
    analytical_renewal_day: analytical.day,
    ai_quota: ai.quota,
    ai_renewal_day: ai.day,
  }
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

function renewalEvent({ id, name, version, ...before }: Row, after: ReturnType<typeof renewedQuotas>) {
  const { analytical_quota, ai_quota } = after
  const changes = changesBetween(before, { analytical_quota, ai_quota })
  const record = { name, workspace_id: id, version: version + 1 }
  return eventOf(SYSTEM, { action: 'renew', entity: 'workspace', entity_id: id, record, changes })
}
