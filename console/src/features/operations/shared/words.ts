import type { Operation, OperationKindName, OperationState } from '@watchdesk/contract/operations/operations'
import type { IconName } from '../../../ui/display/icon.tsx'
import type { Tone } from '../../../ui/display/tag.tsx'

export const KINDS: Record<OperationKindName, string> = {
  source_import: 'Source import',
  platform_import: 'Platform import',
  export: 'Export',
  stories_import: 'Stories import',
  sheet_replacement: 'Sheet replacement',
  sources_change: 'Bulk change of sources',
  users_change: 'Bulk change of users',
  workspaces_change: 'Bulk change of workspaces',
  dashboards_change: 'Bulk change of dashboards',
  users_import: 'Users import',
  undo: 'Undo',
}

export const STATES: Record<OperationState, { label: string; icon: IconName; tone: Tone }> = {
  queued: { label: 'Waiting', icon: 'clock', tone: 'plain' },
  running: { label: 'Running', icon: 'refresh', tone: 'violet' },
  done: { label: 'Done', icon: 'check', tone: 'teal' },
  failed: { label: 'Failed', icon: 'alert', tone: 'red' },
  cancelled: { label: 'Cancelled', icon: 'ban', tone: 'plain' },
}

type Named = Pick<Operation, 'kind' | 'name' | 'platform'>
type Chained = Pick<Operation, 'kind' | 'name' | 'origin_kind'>

/** 'Source import', 'TELEGRAM export'. */
export function kindOf({ kind, platform, is_redo }: Pick<Operation, 'kind' | 'platform' | 'is_redo'>) {
  if (is_redo) return 'Redo'
  if (platform === null) return KINDS[kind]
  return kind === 'export' ? `${platform} export` : `${platform} import`
}

/** The file or sheet, or what it is if there is neither. */
export function titleOf(shown: Named & Pick<Operation, 'is_redo' | 'undoes' | 'origin_kind'>) {
  if (shown.undoes) return `${shown.is_redo ? 'Redo' : 'Undo'}: ${originName(shown)}`
  return shown.name ?? kindOf(shown)
}

/** The name of the import that was undone or done again, which has the same name. */
export function originName({ name, origin_kind }: Chained) {
  return name ?? KINDS[origin_kind]
}

/** 'the import “sources.csv”', 'the bulk change of sources'. */
export function originPhrase({ name, origin_kind }: Chained) {
  const what = name === null ? KINDS[origin_kind].toLowerCase() : (WHAT[origin_kind] ?? 'import')
  return name === null ? `the ${what}` : `the ${what} “${name}”`
}

/** What people call it, if not an import. */
const WHAT: Partial<Record<OperationKindName, string>> = {
  sources_change: 'change',
  users_change: 'change',
  workspaces_change: 'change',
  dashboards_change: 'change',
  sheet_replacement: 'replacement',
}

/** The button that undoes it. */
export function undoLabel({ origin_kind }: Pick<Operation, 'origin_kind'>) {
  return `Undo ${WHAT[origin_kind] ?? 'import'}`
}

/** Whether it took changes back, instead of doing them again. */
export function isUndo({ kind, is_redo }: Pick<Operation, 'kind' | 'is_redo'>) {
  return kind === 'undo' && !is_redo
}

/** How long it took, or has taken so far. */
export function durationOf({ started_at, created_at, finished_at, state }: Operation, now = Date.now()) {
  const start = Date.parse(started_at ?? created_at)
  if (finished_at !== null) return Date.parse(finished_at) - start
  return state === 'running' ? now - start : undefined
}
