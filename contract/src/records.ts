export const DELETABLE_KINDS = {
  user: 'Users',
  workspace: 'Workspaces',
  dashboard: 'Dashboards',
  source: 'Sources',
  sheet: 'Sheets',
} as const
export type DeletableKind = keyof typeof DELETABLE_KINDS

export const RECORD_KINDS = { ...DELETABLE_KINDS, website_config: 'Website config' } as const
export type RecordKind = keyof typeof RECORD_KINDS
