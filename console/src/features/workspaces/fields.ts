import type { Workspace, WorkspaceSettings } from '@watchdesk/contract/workspaces'

type Quota = Partial<Workspace['analytical_quota']> | null
type Fields = Partial<Omit<Workspace, 'config' | 'analytical_quota' | 'ai_quota'> & WorkspaceSettings> & {
  analytical_quota?: Quota
  ai_quota?: Quota
}

/** All fields of a workspace, from `config` or from the top level: other backends use either. */
export function fieldsOf({ config, ...top }: Workspace): Fields {
  const given = Object.entries(config ?? {}).filter(([, value]) => value !== null && value !== undefined)
  return { ...top, ...Object.fromEntries(given) }
}

const threshold = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 })

export function formatThreshold(value: number) {
  return threshold.format(value)
}
