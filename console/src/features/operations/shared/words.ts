import { OPERATION_KINDS } from '@watchdesk/contract/operations/kinds'
import type { Operation, OperationState } from '@watchdesk/contract/operations/operations'
import type { IconName } from '../../../ui/display/icon.tsx'
import type { Tone } from '../../../ui/display/tag.tsx'
import { KINDS } from './kinds.ts'

export const STATE_MARKS: Record<OperationState, { icon: IconName; tone: Tone }> = {
  queued: { icon: 'clock', tone: 'plain' },
  running: { icon: 'refresh', tone: 'violet' },
  done: { icon: 'check', tone: 'teal' },
  failed: { icon: 'alert', tone: 'red' },
  cancelled: { icon: 'ban', tone: 'plain' },
}

type Result = Pick<Operation, 'kind' | 'counts' | 'summary' | 'is_redo'>
type Named = Pick<Operation, 'kind' | 'name' | 'platform'>
type Chained = Pick<Operation, 'kind' | 'name' | 'origin_kind'>

/** 'Source import', 'TELEGRAM export'. */
export function kindOf({ kind, platform, is_redo }: Pick<Operation, 'kind' | 'platform' | 'is_redo'>) {
  if (is_redo) return 'Redo'
  const { label, what } = OPERATION_KINDS[kind]
  return platform === null ? label : `${platform} ${what}`
}

/** The file or sheet, or what it is if there is neither. */
export function titleOf(shown: Named & Pick<Operation, 'is_redo' | 'undoes' | 'origin_kind'>) {
  if (shown.undoes) return `${shown.is_redo ? 'Redo' : 'Undo'}: ${originName(shown)}`
  return shown.name ?? kindOf(shown)
}

/** The name of what was undone or done again, which has the same name. */
export function originName({ name, origin_kind }: Chained) {
  return name ?? OPERATION_KINDS[origin_kind].label
}

/** 'the import “sources.csv”', 'the bulk change of sources'. */
export function originPhrase({ name, origin_kind }: Chained) {
  const { label, what } = OPERATION_KINDS[origin_kind]
  return name === null ? `the ${label.toLowerCase()}` : `the ${what} “${name}”`
}

/** The button that undoes it. */
export function undoLabel({ origin_kind }: Pick<Operation, 'origin_kind'>) {
  return `Undo ${OPERATION_KINDS[origin_kind].what}`
}

/** Whether each of its rows has an outcome. */
export function hasOutcomes({ kind }: Pick<Operation, 'kind'>) {
  return KINDS[kind].hasOutcomes === true
}

/** What one that is done has changed, in words. */
export function resultText({ kind, counts, summary, is_redo }: Result) {
  return summary || KINDS[kind].result(counts, is_redo)
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
