import { z } from 'zod'
import { resultOf } from './endpoint.schema.ts'
import * as field from './fields.schema.ts'
import { FAILED_DAYS, LOW_PERCENT, OVERVIEW_DAYS, OVERVIEW_ROWS } from './overview.ts'

const day = field.string('The day in UTC', '2026-11-17')
const amount = (description: string) => field.about(z.number().min(0), description, 62_500)

const QuotaUse = z
  .object({
    used: amount('What the workspaces in use have used of their limits: the limit less the balance'),
    limit: amount('The sum of their limits'),
  })
  .nullable()

export const DailyTotals = z.object({
  day,
  users: field.count('Number of users'),
  sources: field.count('Number of sources'),
  stories: field.count('Number of stories'),
  imports: field.count('Number of imports that were requested on this day'),
  analytical_quota: QuotaUse.describe('Use of the analytical quotas. Null if it was not counted on this day'),
  ai_quota: QuotaUse.describe('Use of the AI quotas. Null if it was not counted on this day'),
  is_computed: z
    .boolean()
    .describe('Whether the totals were computed later, from the records that still existed, because none were counted'),
})

const OverviewRow = z.object({
  id: field.Id,
  name: field.string('Name of the record', 'Atlas Media'),
  day: field.stringOrNull('When the trial ends, or the renewal was due. Null for others', '2026-11-20'),
  left: field.about(z.number().nullable(), 'What is left of the quota, in percent. Null for others', 7.5),
  detail: field.stringOrNull('Why an import or a run failed, or the email of a user', 'olena@example.com'),
})

const first = (description: string) => z.array(OverviewRow).max(OVERVIEW_ROWS).describe(description)

const Attention = z.object({
  trials_ended: field.count('Number of trials that have ended'),
  trials_within_7: field.count('Number of trials that end within 7 days'),
  trials_within_30: field.count('Number of trials that end within 30 days'),
  analytical_used_up: field.count('Number of workspaces in use whose analytical quota is used up'),
  analytical_low: field.count(`Number of those with less than ${LOW_PERCENT}% of it left, or nothing`),
  ai_used_up: field.count('Number of workspaces in use whose AI quota is used up'),
  ai_low: field.count(`Number of those with less than ${LOW_PERCENT}% of it left, or nothing`),
  renewals_overdue: field.count('Number of workspaces in use with a quota whose renewal date has passed'),
  without_admin: field.count('Number of workspaces in use without an admin'),
  imports_failed: field.count(`Number of imports of the last ${FAILED_DAYS} days that failed`),
  runs_failed: field.count(`Number of vectorization runs of the last ${FAILED_DAYS} days that failed`),
  users_locked: field.count('Number of users who are locked after failed sign-ins'),
})

export const Overview = field.object('The overview', {
  today: day,
  attention: Attention.describe('What needs attention. Each number is the total of a filtered list'),
  first: field.object('The first records of each group', {
    trials: first('Trials that have ended or end within 30 days, the earliest first'),
    analytical: first('Workspaces in use with a low analytical quota, the lowest first'),
    ai: first('Workspaces in use with a low AI quota, the lowest first'),
    renewals: first('Workspaces with an overdue renewal, the earliest first'),
    without_admin: first('Workspaces in use without an admin'),
    imports: first('Failed imports, the newest first'),
    runs: first('Failed vectorization runs, the newest first'),
    users: first('Locked users'),
  }),
  days: z
    .array(DailyTotals)
    .describe(`The totals at the end of each of the last ${OVERVIEW_DAYS} days, and those of today so far`),
})

export type Attention = z.infer<typeof Attention>
export type OverviewRow = z.infer<typeof OverviewRow>
export type DailyTotals = z.infer<typeof DailyTotals>
export type Overview = z.infer<typeof Overview>

export const getOverview = resultOf('Read the overview', Overview)
