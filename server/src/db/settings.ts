import { WEBSITE_CONFIG_DEFAULTS, type WebsiteConfig } from '@watchdesk/contract/website-config'
import { WORKSPACE_DEFAULTS } from '@watchdesk/contract/workspace-settings'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'

type WorkspaceConfig = Omit<Workspace['config'], 'powerbi_dashboards'>

const { description, status, trial_end_date, powerbi_dashboards, ...settings } = WORKSPACE_DEFAULTS

/** The settings that a workspace begins with. */
export const WORKSPACE_CONFIG: WorkspaceConfig = { ...settings, tags: [] }

/**
 * Settings are read in no other way than these two: a row may have been written before one of them existed, and then holds
 * what a new one begins with.
 */
export const workspaceConfig = sql<WorkspaceConfig>`${JSON.stringify(WORKSPACE_CONFIG)}::jsonb || workspaces.config`

export const websiteConfigValues = sql<WebsiteConfig>`
  ${JSON.stringify(WEBSITE_CONFIG_DEFAULTS)}::jsonb || website_config.values`.as('values')
