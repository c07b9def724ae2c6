import { WEBSITE_CONFIG_DEFAULTS, type WebsiteConfig } from '@watchdesk/contract/website-config'
import { WORKSPACE_DEFAULTS } from '@watchdesk/contract/workspace-settings'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { sql } from 'kysely'

type WorkspaceConfig = Omit<Workspace['config'], 'powerbi_dashboards'>

const { description, status, trial_end_date, powerbi_dashboards, ...settings } = WORKSPACE_DEFAULTS

export const WORKSPACE_CONFIG: WorkspaceConfig = { ...settings, tags: [] }

/** Always read settings with these two: a setting that is newer than the row has its default. */
export const workspaceConfig = sql<WorkspaceConfig>`${sql.lit(JSON.stringify(WORKSPACE_CONFIG))}::jsonb || workspaces.config`

export const websiteConfigValues = sql<WebsiteConfig>`
  ${sql.lit(JSON.stringify(WEBSITE_CONFIG_DEFAULTS))}::jsonb || website_config.values`.as('values')
