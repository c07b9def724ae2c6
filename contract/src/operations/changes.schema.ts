import { z } from 'zod'
import { callOf, onceOf } from '../endpoint.schema.ts'
import { WORKSPACE_STATUSES } from '../enums.ts'
import * as field from '../fields.schema.ts'
import { CHANGED_AT_ONCE, LENGTH, MAX_QUOTA, MAX_TRIAL_DAYS } from '../limits.ts'
import { pick } from '../list.ts'
import { UserFields, UserFilter } from '../users.schema.ts'
import { USER_CHOICE_NAMES } from '../users.ts'
import { WorkspaceFilter } from '../workspaces.schema.ts'
import { chosenOrFiltered } from './chosen.schema.ts'

function ids(records: string) {
  return z
    .array(field.Id)
    .min(1, `Choose at least one of the ${records}.`)
    .max(CHANGED_AT_ONCE, `At most ${CHANGED_AT_ONCE.toLocaleString('en')} ${records} by their ids.`)
    .describe(`Ids of the ${records}`)
}

const expected = {
  expected_count: field.count(
    'The number of matching records in the preview. If it has become another one, nothing changes',
  ),
  expected_changed_count: field.count(
    'The number of records that the preview said would change. If it has become another one, nothing changes. Not compared for actions that change no record: end_sessions and unlock',
  ),
  expected_checksum: field.about(
    z.string().max(LENGTH.name).optional(),
    'The checksum of the preview. If other records would change now, as many as they are, nothing changes. Without it, only the numbers are compared',
    'b1946ac92492d2347c6235b4d2611184',
  ),
}

const isSet = (set: object) => Object.values(set).some((value) => value !== undefined)
const SOMETHING = 'Choose what to change.'

function changeOf<Shape extends Parameters<typeof chosenOrFiltered>[0] & { set: z.ZodType }>(shape: Shape) {
  return chosenOrFiltered(shape, 'update', 'set', 'Send what to set for an update, and only then.')
}

const UsersSet = z
  .strictObject({
    workspace_id: field.Id.describe('Id of the workspace that the users are moved to'),
    ...pick(UserFields.shape, USER_CHOICE_NAMES),
    is_admin: z.boolean().describe('Whether the users manage the users of their workspace'),
    is_super_admin: z.boolean().describe('Whether the users have full access to all workspaces and settings'),
  })
  .partial()
  .refine(isSet, SOMETHING)
  .meta({ minProperties: 1 })

const users = {
  action: z
    .enum(['update', 'delete', 'end_sessions', 'unlock'])
    .describe('What to do with the users. end_sessions: they have to sign in again'),
  set: UsersSet.optional().describe('The new values of an update'),
  ids: ids('users').optional(),
  filter: UserFilter.optional().describe('Changes all users that match. An empty filter matches every user'),
}

export const UsersChange = changeOf(users)

const amount = (description: string) => field.int(description, 10_000, { min: 0, max: MAX_QUOTA }).optional()

export const QuotaChange = z
  .strictObject({
    limit: amount('The new limit'),
    balance: amount('The new balance'),
    top_up: amount('The amount that is added to the balance'),
    fill: z.literal(true).optional().describe('The balance becomes the limit, or the new one if there is one'),
  })
  .refine(isSet, SOMETHING)
  .refine(
    ({ balance, top_up, fill }) => [balance, top_up, fill].filter((value) => value !== undefined).length <= 1,
    'Set the balance, top it up or fill it: only one of them.',
  )

function listChange<Item extends z.ZodType<string | number>>(item: Item) {
  return z
    .strictObject({
      add: field.uniqueList(item).optional().describe('What is added, where it is missing'),
      remove: field.uniqueList(item).optional().describe('What is removed, where it is there'),
    })
    .refine(({ add = [], remove = [] }) => add.length + remove.length > 0, SOMETHING)
    .refine(
      ({ add = [], remove = [] }) => !add.some((each) => remove.includes(each)),
      'The same entry cannot be added and removed.',
    )
}
const names = listChange(field.requiredText(LENGTH.name, 'Must not be empty.'))

const WorkspaceFields = z
  .strictObject({
    status: z.enum(WORKSPACE_STATUSES).nullable().describe('The new status. Null for none'),
    trial_end_date: field
      .day()
      .describe('Last day of the trial, with the status TRIAL. Without it, the workspaces keep theirs'),
    extend_trial_days: field.int(
      'Extends trials by this number of days, from their last day, or from today if it has passed',
      14,
      { min: 1, max: MAX_TRIAL_DAYS },
    ),
    analytical_quota: QuotaChange.describe('What to do with the analytical quota'),
    ai_quota: QuotaChange.describe('What to do with the AI quota'),
    roles: names.describe('Roles to add and remove'),
    featureflags: names.describe('Feature flags to add and remove'),
    powerbi_dashboards: listChange(field.Id).describe('Ids of dashboards to add and remove'),
  })
  .partial()
  .refine(isSet, SOMETHING)
  .refine(({ status, trial_end_date }) => trial_end_date === undefined || status === 'TRIAL', {
    path: ['trial_end_date'],
    message: 'Only for the status TRIAL.',
  })
  .refine(({ status, extend_trial_days }) => extend_trial_days === undefined || status === undefined, {
    path: ['extend_trial_days'],
    message: 'Set a status or extend the trial: only one of them.',
  })

const workspaces = {
  action: z.enum(['update', 'delete']).describe('What to do with the workspaces. They are deleted with their users'),
  set: WorkspaceFields.optional().describe('What an update changes'),
  ids: ids('workspaces').optional(),
  filter: WorkspaceFilter.optional().describe(
    'Changes all workspaces that match. An empty filter matches every workspace',
  ),
}

export const WorkspacesChange = changeOf(workspaces)

const dashboards = { action: z.enum(['delete']).describe('What to do with the dashboards'), ids: ids('dashboards') }

export const DashboardsChange = z.strictObject(dashboards)

const Example = z.object({ id: field.Id, name: field.string('Its name', 'Olena Kovalenko') })

const Changed = Example.extend({
  changes: field.changes('The fields that will change', [{ type: { before: 'STANDARD', after: 'MODERATOR' } }]),
})

export const BulkPreview = field.object('What the change would do', {
  count: field.count('Number of records that match'),
  changed_count: field.count('Number of records that will change'),
  unchanged_count: field.count('Number of records that are already as wanted'),
  refused_count: field.count('Number of records that are left out, because a rule does not allow the change'),
  checksum: field.string('Of which records will change', 'b1946ac92492d2347c6235b4d2611184'),
  changed_fields: field.about(z.array(z.string()), 'The fields that will change in any record', ['type']),
  changed: z.array(Changed).describe('Some of the records that will change'),
  refused: field.objects('The records that are left out, by reason', {
    reason: field.string('Why', 'You cannot delete your own account.'),
    count: field.count('Number of records that are left out for this reason'),
    examples: z.array(Example).describe('Some of them'),
  }),
  notes: field.about(z.array(z.string()), 'What else will happen, or how the change is made, in words', [
    '12 people are signed out.',
  ]),
})

export const BulkChanged = field.object('The result of the change', {
  changed_count: field.count('Number of records that are changed, or will be in the background'),
  refused_count: field.count('Number of records that are left out, with the reason in the rows of the import'),
  import_id: field.Id.nullable().describe('The change, which can be undone. Null if there was nothing to change'),
  job_id: field.Id.nullable().describe('The job that makes the change in the background. Null if it is done'),
})

const Outcome = field.about(z.enum(['changed', 'unchanged', 'refused']), 'Which of the records that match', 'changed')

const nextRecords = {
  outcome: Outcome,
  after_id: field.Id.optional().describe('The last record of those that were read before. Without it, the first ones'),
}

export const BulkRecords = field.object('Some of the records, and what would happen to each', {
  records: z
    .array(
      Changed.extend({
        detail: field.stringOrNull(
          'What distinguishes it from others of the same name, such as an email',
          'olena@example.com',
        ),
        reason: field.about(z.string().nullable(), 'Why it is left out', null),
      }),
    )
    .describe('The records, in the order of their ids'),
  has_more: z.boolean().describe('Whether there are more after the last of these'),
})

export type BulkRecords = z.infer<typeof BulkRecords>
export type BulkRecordsQuery = { outcome: z.infer<typeof Outcome>; after_id?: number | undefined }
export type UsersChange = z.infer<typeof UsersChange>
export type WorkspacesChange = z.infer<typeof WorkspacesChange>
export type DashboardsChange = z.infer<typeof DashboardsChange>
export type QuotaChange = z.infer<typeof QuotaChange>
export type ListChange<Item> = { add?: Item[] | undefined; remove?: Item[] | undefined }
export type BulkPreview = z.infer<typeof BulkPreview>
export type BulkChanged = z.infer<typeof BulkChanged>

function previewOf<Body extends z.ZodType>(summary: string, body: Body) {
  return callOf(summary, body, BulkPreview)
}

export const previewUsersChange = previewOf('See what a change of many users would do', UsersChange)

export const listUsersChange = callOf(
  'List the users that a change of many would change, or leave out',
  changeOf({ ...users, ...nextRecords }),
  BulkRecords,
)

export const changeUsers = onceOf(
  'Change, delete, unlock or sign out many users at once',
  changeOf({ ...users, ...expected }),
  BulkChanged,
)

export const previewWorkspacesChange = previewOf('See what a change of many workspaces would do', WorkspacesChange)

export const listWorkspacesChange = callOf(
  'List the workspaces that a change of many would change, or leave out',
  changeOf({ ...workspaces, ...nextRecords }),
  BulkRecords,
)

export const changeWorkspaces = onceOf(
  'Change or delete many workspaces at once',
  changeOf({ ...workspaces, ...expected }),
  BulkChanged,
)

export const previewDashboardsChange = previewOf('See what deleting many dashboards would do', DashboardsChange)

export const listDashboardsChange = callOf(
  'List the dashboards that deleting many would delete',
  z.strictObject({ ...dashboards, ...nextRecords }),
  BulkRecords,
)

export const changeDashboards = onceOf(
  'Delete many dashboards at once',
  z.strictObject({ ...dashboards, ...expected }),
  BulkChanged,
)
