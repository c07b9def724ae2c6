import { z } from 'zod'
import { actionOf, deleteOf, editOf, queryOf, readOf } from './endpoint.schema.ts'
import { WORKSPACE_STATUSES } from './enums.ts'
import * as field from './fields.schema.ts'
import { CLASHES_AT_ONCE, LENGTH, MAX_QUOTA, SIMILARITY } from './limits.ts'
import type { FileQuery, ListQuery } from './list.ts'
import { fileQuery, filterIn, listOf } from './page.schema.ts'
import { settingsByKind } from './workspace-settings.ts'
import { workspaceList } from './workspaces.ts'

const nullableText = field.text(LENGTH.setting).nullable()

export const WorkspaceSettings = z.strictObject(
  settingsByKind({
    text: nullableText,
    choice: nullableText,
    threshold: field.about(
      z.number().min(SIMILARITY.min).max(SIMILARITY.max).nullable(),
      'Similarity from 0 to 1. Null: no threshold',
      0.75,
    ),
    yes_no: z.boolean(),
    names: field.uniqueList(field.requiredText(LENGTH.name, 'Must not be empty.')),
    ids: field.uniqueList(field.Id).describe('Ids of dashboards'),
  }),
)

function quota(name: 'analytical_quota' | 'ai_quota') {
  const required = (part: string) => `${name}_${part} is a required field`
  const amount = { min: 0, max: MAX_QUOTA }
  return z.strictObject(
    {
      limit: field.int('Amount at the start of each period', 10_000, amount, required('limit')),
      balance: field.int('Amount that is left', 7_250, amount, required('balance')),
      renewal_date: field.day(required('renewal_date')).describe('Next renewal date, followed by T00:00:00'),
    },
    field.missing(`${name} is a required field`),
  )
}

const fields = z.strictObject({
  name: field.name('Workspace name is required!').meta({ examples: ['Atlas Media'] }),
  description: field.text(LENGTH.description),
  status: z.enum(WORKSPACE_STATUSES).nullable(),
  trial_end_date: field.day().nullable().describe('Last day of the trial. Required if the status is TRIAL'),
  analytical_quota: quota('analytical_quota'),
  ai_quota: quota('ai_quota'),
})

export const Workspace = field.object('The workspace', {
  id: field.Id,
  ...fields.shape,
  config: field.object('Settings of the workspace', { ...WorkspaceSettings.shape, tags: z.array(z.string()) }),
  version: field.Version,
})
/** The complete new state, for both create and update: missing fields get the `WORKSPACE_DEFAULTS`. */
export const WorkspaceBody = fields
  .extend(WorkspaceSettings.shape)
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
export const WorkspaceFilter = filterIn('body', workspaceList)
export const ListedWorkspace = Workspace.extend({
  users_count: field.count('Number of users').optional(),
  last_activity_at: field
    .timestamp('')
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

export const downloadWorkspaces = queryOf('Download workspaces as a file', fileQuery(workspaceList), z.unknown())

export const getWorkspace = readOf('Read a workspace', Workspace)

export const createWorkspace = { summary: 'Create a workspace', body: WorkspaceBody, response: { 201: Workspace } }

export const updateWorkspace = editOf('Edit a workspace', WorkspaceBody, Workspace)

export const deleteWorkspace = deleteOf('Delete a workspace and its users')

export const WorkspaceImpact = field.object('What would be affected', {
  users: field.count('Number of users'),
  admins: field.count('Number of admins among them, who would lose their access to the console'),
  admin_names: field.about(z.array(z.string()), 'Names of the first admins', ['Olena Koval', 'Vera Moroz']),
  dashboards: field.count('Number of dashboards'),
  last_activity_at: field
    .timestamp('When one of its admins last signed in or changed something. Null if that is not known')
    .nullable(),
})

export const workspaceImpact = readOf('Read what deleting or deactivating a workspace would affect', WorkspaceImpact)

export const WorkspaceRestore = z
  .strictObject({
    emails: z
      .array(z.strictObject({ id: field.Id.describe('Id of the user'), email: field.email() }))
      .max(CLASHES_AT_ONCE, `At most ${CLASHES_AT_ONCE.toLocaleString('en')} entries.`)
      .refine(
        (list) => new Set(list.map(({ id }) => id)).size === list.length,
        'The list contains the same user twice.',
      )
      .optional()
      .describe('Other emails for users of the workspace, for example because someone else has theirs now'),
  })
  .optional()

export const restoreWorkspace = actionOf(
  'Restore a deleted workspace and the users that were deleted with it',
  WorkspaceRestore,
  Workspace,
)
