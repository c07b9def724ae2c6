import { z } from 'zod'
import { dashboardWorkspaceList } from './dashboards.ts'
import { WORKSPACE_STATUSES } from './enums.ts'
import {
  count,
  deleteOf,
  editOf,
  Id,
  IdParams,
  int,
  name,
  objectsOf,
  readOf,
  requiredText,
  resultOf,
  string,
  text,
  Version,
} from './fields.schema.ts'
import { LENGTH, LINKS_AT_ONCE, WORKSPACES_AT_ONCE } from './limits.ts'
import { listOf, pageOf } from './page.schema.ts'

const fields = z.strictObject({
  name: name('Name is required!').meta({ examples: ['Reach by platform'] }),
  description: text(LENGTH.description)
    .nullable()
    .meta({ examples: ['Daily reach of all monitored sources'] }),
  embed_link: requiredText(LENGTH.link, 'Embed link is required!')
    .pipe(
      z.url({ protocol: /^https?$/, error: 'Embed link must be a valid URL that starts with http:// or https://.' }),
    )
    .meta({ format: 'uri', pattern: '^https?://', examples: ['https://app.powerbi.com/view?r=abc'] }),
})

export const Dashboard = z.object({ id: Id, ...fields.shape, version: Version }).describe('The dashboard')
export const DashboardCreate = fields.partial({ description: true })
export const DashboardUpdate = fields.partial()

/** Other backends do not send the number. */
const UsedDashboard = Dashboard.extend({
  workspaces_count: count('Number of workspaces that show the dashboard').optional(),
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
  id: Id,
  name: string('Name of the workspace', 'Atlas Media'),
  description: z.string().describe('Description of the workspace'),
  status: z.enum(WORKSPACE_STATUSES).nullable(),
})

export const listDashboardWorkspaces = {
  ...listOf('List the workspaces that show a dashboard', dashboardWorkspaceList, DashboardWorkspace),
  params: IdParams,
}

/** Far from the limit of the column, so that there is always a next one. */
const MAX_POSITION = 2_000_000_000
const position = int('Position among the dashboards of the workspace', 2, { min: 0, max: MAX_POSITION })
const tooMany = `At most ${WORKSPACES_AT_ONCE.toLocaleString('en')} workspaces at once.`

const DashboardWorkspacesChange = z
  .strictObject({
    attach: z
      .array(z.strictObject({ id: Id.describe('Id of the workspace'), position: position.optional() }))
      .max(WORKSPACES_AT_ONCE, tooMany)
      .optional()
      .describe('Workspaces that will show the dashboard, after their other dashboards unless a position is set'),
    detach: z
      .array(Id.describe('Id of the workspace'))
      .max(WORKSPACES_AT_ONCE, tooMany)
      .optional()
      .describe('Workspaces that will no longer show it'),
  })
  .refine(({ attach = [], detach = [] }) => {
    const ids = [...attach.map(({ id }) => id), ...detach]
    return new Set(ids).size === ids.length
  }, 'The same workspace is listed twice.')

const Place = z.object({ id: Id.describe('Id of the workspace'), position })

export const changeDashboardWorkspaces = {
  summary: 'Attach a dashboard to workspaces, and detach it from others',
  params: IdParams,
  body: DashboardWorkspacesChange,
  response: {
    200: z
      .object({
        attached: z.array(Place).describe('Workspaces that did not show it before'),
        detached: z.array(Place).describe('Workspaces that showed it before. Send them as `attach` to undo this'),
      })
      .describe('What was changed'),
  },
}

export type DashboardWorkspace = z.infer<typeof DashboardWorkspace>
export type DashboardWorkspacesChange = z.infer<typeof DashboardWorkspacesChange>
export type DashboardWorkspacesChanged = z.infer<(typeof changeDashboardWorkspaces)['response'][200]>

const LinkCheck = z.object({
  id: Id,
  embed_link: string('The link that was checked', 'https://app.powerbi.com/view?r=abc'),
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
  status: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status after redirects. Null without a response', examples: [200] }),
  embedding: z
    .enum(['allowed', 'x_frame_options', 'frame_ancestors'])
    .nullable()
    .describe('Whether the page allows embedding, or the header that forbids it. Null if it was not reached'),
})

export const checkDashboardLinks = {
  summary: 'Check whether embed links can be reached and allow embedding',
  body: z.strictObject({
    ids: z
      .array(Id.describe('Id of the dashboard'))
      .min(1, 'Choose at least one dashboard.')
      .max(LINKS_AT_ONCE, `At most ${LINKS_AT_ONCE} links at once.`)
      .describe('The dashboards whose links are checked'),
    origin: z
      .url({ protocol: /^https?$/, error: 'Must be an address that starts with http:// or https://.' })
      .max(LENGTH.link)
      .transform((address) => new URL(address).origin)
      .meta({ description: 'Where the dashboards are embedded', examples: ['https://desk.example.com'] }),
  }),
  response: {
    200: objectsOf(LinkCheck, 'The results. Dashboards that do not exist are left out', 'The results'),
  },
}

export type LinkCheck = z.infer<typeof LinkCheck>
