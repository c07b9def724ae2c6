type Kind = {
  /** 'Source import', and what the filter of the list calls all of them. */
  label: string
  all: string
  /** What people call one of them: 'Undo import'. */
  what: 'import' | 'export' | 'replacement' | 'change' | 'undo'
  /** What its events are about. */
  entity: 'sources' | 'stories' | 'users' | 'workspaces' | 'dashboards'
  /** It can run in the background. */
  isJob?: true
}

const KINDS = {
  source_import: { label: 'Source import', all: 'Source imports', what: 'import', entity: 'sources', isJob: true },
  platform_import: { label: 'Platform import', all: 'Platform imports', what: 'import', entity: 'sources' },
  export: { label: 'Export', all: 'Exports', what: 'export', entity: 'sources' },
  stories_import: { label: 'Stories import', all: 'Stories imports', what: 'import', entity: 'stories', isJob: true },
  // What a sheet shows are rows of sources.
  sheet_replacement: { label: 'Sheet replacement', all: 'Sheet replacements', what: 'replacement', entity: 'sources' },
  sources_change: changeOf('sources'),
  users_change: changeOf('users'),
  workspaces_change: changeOf('workspaces'),
  dashboards_change: changeOf('dashboards'),
  users_import: { label: 'Users import', all: 'Users imports', what: 'import', entity: 'users' },
  undo: { label: 'Undo', all: 'Undos and redos', what: 'undo', entity: 'sources', isJob: true },
} satisfies Record<string, Kind>

export type OperationKindName = keyof typeof KINDS

/** What operations do besides what a single record can, as the activity page says it. */
export const OPERATION_ACTIONS = {
  import: 'Imported',
  undo: 'Undone',
  cancel: 'Cancelled',
  export: 'Exported',
} as const

/** In a sentence, if it is not the label. */
export const OPERATION_VERBS = { undo: 'undid' } satisfies Partial<Record<keyof typeof OPERATION_ACTIONS, string>>

export const OPERATION_KINDS: Readonly<Record<OperationKindName, Kind>> = KINDS

// @__NO_SIDE_EFFECTS__
function changeOf(entity: Kind['entity']): Kind {
  return { label: `Bulk change of ${entity}`, all: `Bulk changes of ${entity}`, what: 'change', entity, isJob: true }
}
