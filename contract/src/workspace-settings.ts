import { keysOf } from './list.ts'
import type { WorkspaceBody } from './workspaces.schema.ts'

/** Text, a choice, a threshold from 0 to 1, a boolean, names, or ids. The first three are nullable. */
type Kind = 'text' | 'choice' | 'threshold' | 'yes_no' | 'names' | 'ids'

/**
 * The schema, defaults, labels, form values and checkboxes are derived from this. Stored as one JSON document, so a new
 * setting needs no migration: a row that was written before it existed gets the default.
 */
const SETTINGS = {
  featureflags: { kind: 'names', label: 'Feature flags' },
  roles: { kind: 'names', label: 'Roles' },
  available_case_types: { kind: 'names', label: 'Available case types' },
  powerbi_dashboards: { kind: 'ids', label: 'PowerBI dashboards' },
  search_term_index_override: { kind: 'text', label: 'Search term index override' },
  vectorized_index_override: { kind: 'text', label: 'Vectorized index override' },
  stories_vectors_model: { kind: 'choice', label: 'Stories vectors model' },
  homepage: { kind: 'text', label: 'Homepage' },
  search_similarity_threshold: { kind: 'threshold', label: 'Search similarity threshold' },
  narratives_similarity_threshold: { kind: 'threshold', label: 'Narratives similarity threshold' },
  keywords_parser_class: { kind: 'text', label: 'Keywords parser class' },
  language: { kind: 'text', label: 'Language code' },
  is_ucbi_admin: { kind: 'yes_no', label: 'UCBI admin' },
  is_ucbi_reporter: { kind: 'yes_no', label: 'UCBI reporter' },
  is_reporter_only_user: { kind: 'yes_no', label: 'Reporter-only user' },
} as const satisfies Record<string, { kind: Kind; label: string }>

type Name = keyof typeof SETTINGS
export type SettingOf<Wanted extends Kind> = {
  [Key in Name]: (typeof SETTINGS)[Key]['kind'] extends Wanted ? Key : never
}[Name]

export function settingsByKind<Values extends Record<Kind, unknown>>(
  values: Values,
): { [Key in Name]: Values[(typeof SETTINGS)[Key]['kind']] } {
  return mapSettings(({ kind }) => values[kind])
}

export function settingsOf<Wanted extends Kind>(...kinds: Wanted[]): SettingOf<Wanted>[] {
  const isWanted = (name: Name): name is SettingOf<Wanted> => kinds.some((kind) => kind === SETTINGS[name].kind)
  return keysOf(SETTINGS).filter(isWanted)
}

export const SETTING_LABELS: Record<Name, string> = mapSettings(({ label }) => label)

function mapSettings(read: (setting: { kind: Kind; label: string }) => unknown) {
  const entries: unknown[][] = Object.entries(SETTINGS).map(([name, setting]) => [name, read(setting)])
  return Object.fromEntries(entries)
}

type Nullable = Record<'text' | 'choice', string | null> & { threshold: number | null }
type Values = Nullable & { yes_no: boolean; names: string[]; ids: number[] }
export const SETTING_DEFAULTS: Values = { text: null, choice: null, threshold: null, yes_no: false, names: [], ids: [] }

export const WORKSPACE_DEFAULTS = {
  description: '',
  status: null,
  trial_end_date: null,
  ...settingsByKind(SETTING_DEFAULTS),
} satisfies Partial<WorkspaceBody>
