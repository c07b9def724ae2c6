import { z } from 'zod'
import { dashboardWorkspaceList } from './dashboards.ts'
import { actionOf, callOf, deleteOf, editOf, IdParams, objectsOf, readOf, resultOf } from './endpoint.schema.ts'
import { WORKSPACE_STATUSES } from './enums.ts'
import * as field from './fields.schema.ts'
import { LENGTH, LINKS_AT_ONCE, WORKSPACES_AT_ONCE } from './limits.ts'
import { listOf, pageOf } from './page.schema.ts'

const fields = z.strictObject({
  name: field.name('Name is required!').meta({ examples: ['Reach by platform'] }),
  description: field
    .text(LENGTH.description)
    .nullable()
    .meta({ examples: ['Daily reach of all monitored sources'] }),
  embed_link: field
    .requiredText(LENGTH.link, 'Embed link is required!')
    .pipe(
      z.url({ protocol: /^https?$/, error: 'Embed link must be a valid URL that starts with http:// or https://.' }),
    )
    .meta({ format: 'uri', pattern: '^https?://', examples: ['https://app.powerbi.com/view?r=abc'] }),
})

export const Dashboard = field.object('The dashboard', { id: field.Id, ...fields.shape, version: field.Version })
export const DashboardCreate = fields.partial({ description: true })
export const DashboardUpdate = fields.partial()

/** Other backends do not send the number. */
const UsedDashboard = Dashboard.extend({
  workspaces_count: field.count('Number of workspaces that show the dashboard').optional(),
}).describe('The dashboard')

export type Dashboard = z.infer<typeof UsedDashboard>
export type DashboardCreate = z.infer<typeof DashboardCreate>
export type DashboardUpdate = z.infer<typeof DashboardUpdate>

export const listDashboards = resultOf('List all dashboards', pageOf(UsedDashboard))

export const getDashboard = readOf('Read a dashboard', UsedDashboard)

export const createDashboard = { summary: 'Create a dashboard', body: DashboardCreate, response: { 201: Dashboard } }

export const updateDashboard = editOf('Edit a dashboard', DashboardUpdate, Dashboard)

export const deleteDashboard = deleteOf('Delete a dashboard and remove it from all workspaces')

export const restoreDashboard = readOf('Restore a deleted dashboard, and add it to its workspaces again', Dashboard)

const DashboardWorkspace = z.object({
  id: field.Id,
  name: field.string('Name of the workspace', 'Atlas Media'),
  description: z.string().describe('Description of the workspace'),
  status: z.enum(WORKSPACE_STATUSES).nullable(),
})

export const listDashboardWorkspaces = {
  ...listOf('List the workspaces that show a dashboard', dashboardWorkspaceList, DashboardWorkspace),
  params: IdParams,
}

/** Far from the limit of the column, so that there is always a next one. */
const MAX_POSITION = 2_000_000_000
const position = field.int('Position among the dashboards of the workspace', 2, { min: 0, max: MAX_POSITION })
const tooMany = `At most ${WORKSPACES_AT_ONCE.toLocaleString('en')} workspaces at once.`

const DashboardWorkspacesChange = z
  .strictObject({
    attach: z
      .array(z.strictObject({ id: field.Id.describe('Id of the workspace'), position: position.optional() }))
      .max(WORKSPACES_AT_ONCE, tooMany)
      .optional()
      .describe('Workspaces that will show the dashboard, after their other dashboards unless a position is set'),
    detach: z
      .array(field.Id.describe('Id of the workspace'))
      .max(WORKSPACES_AT_ONCE, tooMany)
      .optional()
      .describe('Workspaces that will no longer show it'),
  })
  .refine(({ attach = [], detach = [] }) => {
    const ids = [...attach.map(({ id }) => id), ...detach]
    return new Set(ids).size === ids.length
  }, 'The same workspace is listed twice.')

const Place = z.object({ id: field.Id.describe('Id of the workspace'), position })

export const changeDashboardWorkspaces = actionOf(
  'Attach a dashboard to workspaces, and detach it from others',
  DashboardWorkspacesChange,
  field.object('What was changed', {
    attached: z.array(Place).describe('Workspaces that did not show it before'),
    detached: z.array(Place).describe('Workspaces that showed it before. Send them as `attach` to undo this'),
  }),
)

export type DashboardWorkspace = z.infer<typeof DashboardWorkspace>
export type DashboardWorkspacesChange = z.infer<typeof DashboardWorkspacesChange>
export type DashboardWorkspacesChanged = z.infer<(typeof changeDashboardWorkspaces)['response'][200]>

const LinkCheck = z.object({
  id: field.Id,
  embed_link: field.string('The link that was checked', 'https://app.powerbi.com/view?r=abc'),
  problem: z
    .enum([
      'status',
      'host_not_found',
      'dns_failed',
      'private_address',
      'timeout',
      'tls',
      'connection_refused',
      'connection_failed',
      'redirect',
      'invalid_response',
    ])
    .nullable()
    .describe('Why the server cannot reach the page. Null if it can'),
  status: field.about(z.int().nullable(), 'HTTP status after redirects. Null without a response', 200),
  embedding: z
    .enum(['allowed', 'x_frame_options', 'frame_ancestors'])
    .nullable()
    .describe('Whether the page allows embedding, or the header that forbids it. Null if it was not reached'),
})

export const checkDashboardLinks = callOf(
  'Check whether embed links can be reached and allow embedding',
  z.strictObject({
    ids: z
      .array(field.Id.describe('Id of the dashboard'))
      .min(1, 'Choose at least one dashboard.')
      .max(LINKS_AT_ONCE, `At most ${LINKS_AT_ONCE} links at once.`)
      .describe('The dashboards whose links are checked'),
    origin: field.about(
      z
        .url({ protocol: /^https?$/, error: 'Must be an address that starts with http:// or https://.' })
        .max(LENGTH.link)
        .transform((address) => new URL(address).origin),
      'Where the dashboards are embedded',
      'https://desk.example.com',
    ),
  }),
  objectsOf(LinkCheck, 'The results. Dashboards that do not exist are left out', 'The results'),
)

export type LinkCheck = z.infer<typeof LinkCheck>
