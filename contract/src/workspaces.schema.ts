import { z } from 'zod'
import { WORKSPACE_STATUSES } from './enums.ts'
import {
  count,
  day,
  deleteOf,
  editOf,
  email,
  Id,
  IdParams,
  missing,
  name,
  readOf,
  requiredText,
  text,
  timestamp,
  uniqueList,
  Version,
} from './fields.schema.ts'
import { CLASHES_AT_ONCE, LENGTH, MAX_QUOTA, SIMILARITY } from './limits.ts'
import type { FileQuery, ListQuery } from './list.ts'
import { fileOf, fileQuery, filterBody, listOf } from './page.schema.ts'
import { settingsByKind } from './workspace-settings.ts'
import { workspaceList } from './workspaces.ts'

const nullableText = text(LENGTH.setting).nullable()

const settings = z.strictObject(
  settingsByKind({
    text: nullableText,
    choice: nullableText,
    threshold: z
      .number()
      .min(SIMILARITY.min)
      .max(SIMILARITY.max)
      .nullable()
      .meta({ description: 'Similarity from 0 to 1. Null: no threshold', examples: [0.75] }),
    yes_no: z.boolean(),
    names: uniqueList(requiredText(LENGTH.name, 'Must not be empty.')),
    ids: uniqueList(Id).describe('Ids of dashboards'),
  }),
)

function quota(name: 'analytical_quota' | 'ai_quota') {
  const required = (field: string) => `${name}_${field} is a required field`
  const amount = (field: string, description: string, example: number) =>
    z
      .int(missing(required(field)))
      .min(0)
      .max(MAX_QUOTA)
      .meta({ description, examples: [example] })
  return z.strictObject(
    {
      limit: amount('limit', 'Amount at the start of each period', 10_000),
      balance: amount('balance', 'Amount that is left', 7_250),
      renewal_date: day(required('renewal_date')).describe('Next renewal date, followed by T00:00:00'),
    },
    missing(`${name} is a required field`),
  )
}

const fields = z.strictObject({
  name: name('Workspace name is required!').meta({ examples: ['Atlas Media'] }),
  description: text(LENGTH.description),
  status: z.enum(WORKSPACE_STATUSES).nullable(),
  trial_end_date: day().nullable().describe('Last day of the trial. Required if the status is TRIAL'),
  analytical_quota: quota('analytical_quota'),
  ai_quota: quota('ai_quota'),
})

export const WorkspaceSettings = settings
export const Workspace = z
  .object({
    id: Id,
    ...fields.shape,
    config: z.object({ ...settings.shape, tags: z.array(z.string()) }).describe('Settings of the workspace'),
    version: Version,
  })
  .describe('The workspace')
/** The complete new state, for both create and update: missing fields get the `WORKSPACE_DEFAULTS`. */
export const WorkspaceBody = fields
  .extend(settings.shape)
  .partial()
  // Not `required()`, which would replace our messages for missing fields with zod's.
  .extend(fields.pick({ name: true, analytical_quota: true, ai_quota: true }).shape)
  .refine((body) => body.status !== 'TRIAL' || Boolean(body.trial_end_date), {
    path: ['trial_end_date'],
    message: 'Trial end date is required!',
    // Also runs when other fields are invalid, so that all errors are reported together.
    when: ({ value }) => Object(value) === value,
  })
  .meta({
    if: { required: ['status'], properties: { status: { const: 'TRIAL' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['trial_end_date'], properties: { trial_end_date: { type: 'string' } } },
  })
/** The filter of the list, as changes of many workspaces take it. */
export const WorkspaceFilter = filterBody(workspaceList)
/** The computed fields are only there if the query asks for them. */
export const ListedWorkspace = Workspace.extend({
  users_count: count('Number of users').optional(),
  last_activity_at: timestamp('')
    .nullable()
    .optional()
    .describe('When one of its admins last signed in or changed something. Null if that is not known'),
}).describe('The workspace')

export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>
export type Workspace = z.infer<typeof Workspace>
export type WorkspaceBody = z.infer<typeof WorkspaceBody>
export type WorkspaceImpact = z.infer<typeof WorkspaceImpact>
export type WorkspaceRestore = z.infer<typeof WorkspaceRestore>
export type WorkspaceQuery = ListQuery<typeof workspaceList>
export type WorkspaceFileQuery = FileQuery<typeof workspaceList>
export type WorkspaceFilter = z.output<typeof WorkspaceFilter>
export type ListedWorkspace = z.infer<typeof ListedWorkspace>

export const listWorkspaces = listOf('List workspaces', workspaceList, ListedWorkspace)

export const downloadWorkspaces = fileOf('Download workspaces as a file', fileQuery(workspaceList))

export const getWorkspace = readOf('Read a workspace', Workspace)

export const createWorkspace = { summary: 'Create a workspace', body: WorkspaceBody, response: { 201: Workspace } }

export const updateWorkspace = editOf('Edit a workspace', WorkspaceBody, Workspace)

export const deleteWorkspace = deleteOf('Delete a workspace and its users')

export const WorkspaceImpact = z
  .object({
    users: count('Number of users'),
    admins: count('Number of admins among them, who would lose their access to the console'),
    admin_names: z
      .array(z.string())
      .meta({ description: 'Names of the first admins', examples: [['Olena Koval', 'Vera Moroz']] }),
    dashboards: count('Number of dashboards'),
    last_activity_at: timestamp(
      'When one of its admins last signed in or changed something. Null if that is not known',
    ).nullable(),
  })
  .describe('What would be affected')

export const workspaceImpact = readOf('Read what deleting or deactivating a workspace would affect', WorkspaceImpact)

export const WorkspaceRestore = z
  .strictObject({
    emails: z
      .array(z.strictObject({ id: Id.describe('Id of the user'), email: email() }))
      .max(CLASHES_AT_ONCE, `At most ${CLASHES_AT_ONCE.toLocaleString('en')} entries.`)
      .refine(
        (list) => new Set(list.map(({ id }) => id)).size === list.length,
        'The list contains the same user twice.',
      )
      .optional()
      .describe('Other emails for users of the workspace, for example because someone else has theirs now'),
  })
  .optional()

export const restoreWorkspace = {
  summary: 'Restore a deleted workspace and the users that were deleted with it',
  params: IdParams,
  body: WorkspaceRestore,
  response: { 200: Workspace },
}
