import { z } from 'zod'
import { Id, IdParams, IfMatch, Nothing, name, requiredText, text, Version } from './fields.schema.ts'
import { LENGTH } from './limits.ts'
import { pageOf } from './page.schema.ts'

const fields = z.strictObject({
  name: name('Name is required!').meta({ examples: ['Reach by platform'] }),
  description: text(LENGTH.description)
    .nullable()
    .meta({ examples: ['Daily reach of all monitored sources'] }),
  embed_link: requiredText(LENGTH.link, 'Embed link is required!')
    .pipe(
      z.url({ protocol: /^https?$/, error: 'Embed link must be a valid URL that starts with http:// or https://.' }),
    )
    .meta({ format: 'uri', examples: ['https://app.powerbi.com/view?r=abc'] }),
})

export const Dashboard = z.object({ id: Id, ...fields.shape, version: Version }).describe('The dashboard')
export const DashboardCreate = fields.partial({ description: true })
export const DashboardUpdate = fields.partial()

export type Dashboard = z.infer<typeof Dashboard>
export type DashboardCreate = z.infer<typeof DashboardCreate>
export type DashboardUpdate = z.infer<typeof DashboardUpdate>

export const listDashboards = { summary: 'List all dashboards', response: { 200: pageOf(Dashboard) } }

export const getDashboard = { summary: 'Read a dashboard', params: IdParams, response: { 200: Dashboard } }

export const createDashboard = { summary: 'Create a dashboard', body: DashboardCreate, response: { 201: Dashboard } }

export const updateDashboard = {
  summary: 'Edit a dashboard',
  params: IdParams,
  headers: IfMatch,
  body: DashboardUpdate,
  response: { 200: Dashboard },
}

export const deleteDashboard = {
  summary: 'Delete a dashboard and remove it from all workspaces',
  params: IdParams,
  headers: IfMatch,
  response: { 204: Nothing },
}

export const restoreDashboard = {
  summary: 'Restore a deleted dashboard, and add it to its workspaces again',
  params: IdParams,
  response: { 200: Dashboard },
}
