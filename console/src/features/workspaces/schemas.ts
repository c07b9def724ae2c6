import { WorkspaceBody } from '@watchdesk/contract/workspaces'

/** Loaded with its library when a form opens, not before. */
export const schemas = { WorkspaceBody }
