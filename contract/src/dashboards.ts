import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { Id, IdParams, IfMatch, Nothing, name, requiredText, text, Version } from './fields.ts'
import { LENGTH } from './limits.ts'
import { pageOf } from './page.ts'

const fields = z.strictObject({
  name: name('Name is required!'),
  description: text(LENGTH.description).nullable(),
  embed_link: requiredText(LENGTH.link, 'Embed link is required!')
    .pipe(
      z.url({ protocol: /^https?$/, error: 'Embed link must be a valid URL that starts with http:// or https://.' }),
    )
    .meta({ format: 'uri' }),
})

export const Dashboard = z.object({ id: Id, ...fields.shape, version: Version })
export const DashboardCreate = fields.partial({ description: true })
export const DashboardUpdate = fields.partial()

export type Dashboard = z.infer<typeof Dashboard>
export type DashboardCreate = z.infer<typeof DashboardCreate>
export type DashboardUpdate = z.infer<typeof DashboardUpdate>

export const listDashboards = {
  method: 'GET',
  url: '/api/v1/powerbi_dashboards/',
  config: { access: 'super_admin' },
  schema: { summary: 'List all dashboards', response: { 200: pageOf(Dashboard) } },
} satisfies Endpoint

export const getDashboard = {
  method: 'GET',
  url: '/api/v1/powerbi_dashboards/:id',
  config: { access: 'super_admin' },
  schema: { summary: 'Read a dashboard', params: IdParams, response: { 200: Dashboard } },
} satisfies Endpoint

export const createDashboard = {
  method: 'POST',
  url: '/api/v1/powerbi_dashboards/',
  config: { access: 'super_admin' },
  schema: { summary: 'Create a dashboard', body: DashboardCreate, response: { 201: Dashboard } },
} satisfies Endpoint

export const updateDashboard = {
  method: 'PATCH',
  url: '/api/v1/powerbi_dashboards/:id',
  config: { access: 'super_admin' },
  schema: {
    summary: 'Edit a dashboard',
    params: IdParams,
    headers: IfMatch,
    body: DashboardUpdate,
    response: { 200: Dashboard },
  },
} satisfies Endpoint

export const deleteDashboard = {
  method: 'DELETE',
  url: '/api/v1/powerbi_dashboards/:id',
  config: { access: 'super_admin' },
  schema: {
    summary: 'Delete a dashboard and take it out of all workspaces',
    params: IdParams,
    headers: IfMatch,
    response: { 204: Nothing },
  },
} satisfies Endpoint

export const restoreDashboard = {
  method: 'POST',
  url: '/api/v1/powerbi_dashboards/:id/restore',
  config: { access: 'super_admin' },
  schema: {
    summary: 'Bring back a deleted dashboard, also in the workspaces that listed it',
    params: IdParams,
    response: { 200: Dashboard },
  },
} satisfies Endpoint
