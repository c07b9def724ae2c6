import { DashboardCreate, DashboardUpdate } from '@watchdesk/contract/dashboards'

/** Loaded with their library when a form opens, not before. */
export const schemas = { DashboardCreate, DashboardUpdate }
