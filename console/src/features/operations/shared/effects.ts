import type { UndoPreview } from '@watchdesk/contract/operations/operations'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'

type Effects = UndoPreview['effects']
/** Ids of the rows that are undone although they changed since. */
export type Chosen = ReadonlySet<number> | 'all'

type What = (count: number) => string
type Words = [verb: string, what: What]

const some =
  (noun: string, plural?: string): What =>
  (count) =>
    formatCount(count, noun, plural)
const again =
  (noun: string): What =>
  (count) =>
    `${formatCount(count, noun)} again`
const itsBack =
  (noun: string, what: string): What =>
  (count) =>
    `${formatCount(count, noun)} ${count === 1 && noun !== 'user' ? 'its' : 'their'} ${what} back`
const withUsers: What = (count) => `${formatCount(count, 'workspace')} with ${count === 1 ? 'its' : 'their'} users`

/** What an undo does, in the order of the sentence. */
const UNDO: Record<keyof Effects, Words> = {
  sources_removed: ['remove', some('source')],
  sources_restored: ['restore', some('source')],
  sources_put_back: ['give', itsBack('source', 'country')],
  stories_removed: ['remove', some('story', 'stories')],
  stories_restored: ['restore', some('story', 'stories')],
  narratives_removed: ['remove', some('narrative')],
  sheet_rows_put_back: ['give', (count) => `the sheet its ${formatCount(count, 'row')} back`],
  users_put_back: ['give', itsBack('user', 'former values')],
  users_restored: ['restore', some('user')],
  users_deleted: ['delete', some('user')],
  workspaces_put_back: ['give', itsBack('workspace', 'former values')],
  workspaces_restored: ['restore', withUsers],
  workspaces_deleted: ['delete', withUsers],
  dashboards_restored: ['restore', some('dashboard')],
  dashboards_deleted: ['delete', some('dashboard')],
}

/** A redo gives nothing back, but makes the changes again. */
const REDO: Record<keyof Effects, Words> = {
  ...UNDO,
  sources_put_back: ['change', (count) => `the country of ${formatCount(count, 'source')} again`],
  sheet_rows_put_back: ['replace', (count) => `the rows of the sheet again: ${formatCount(count, 'row')}`],
  users_put_back: ['change', again('user')],
  workspaces_put_back: ['change', again('workspace')],
}

function wordsOf(isRedo: boolean) {
  return Object.entries(isRedo ? REDO : UNDO) as [keyof Effects, Words][]
}

const list = new Intl.ListFormat('en')

/** 'Removes 2,841 sources and gives 12 sources their country back'. Undefined if nothing changes. */
export function effectsText(effects: Effects, isRedo: boolean, others = 0) {
  const parts = wordsOf(isRedo).flatMap(([name, [verb, what]]) => part(`${verb}s`, what, effects[name]))
  const more: What = (count) => `${formatCount(count, 'other')} that changed since`
  return sentence([...parts, ...part(isRedo ? 'redoes' : 'undoes', more, others)])
}

/** The effects if the chosen rows are included. What happens to those of `others` is not known in detail. */
export function effectsWith({ effects, changed, changed_count }: UndoPreview, chosen: Chosen) {
  const sum = { ...effects }
  for (const { id, effect } of changed) {
    // How many rows a sheet gets is not known here.
    if (effect === 'nothing' || effect === 'sheet_rows_put_back') continue
    if (chosen === 'all' || chosen.has(id)) sum[effect] += 1
  }
  return { effects: sum, others: chosen === 'all' ? changed_count - changed.length : 0 }
}

/** 'Remove all 2 too': what happens to the rows that changed since, if all are chosen. */
export function allLabel({ changed, changed_count }: UndoPreview, isRedo: boolean) {
  const [effect = 'nothing', ...others] = new Set(changed.map((row) => row.effect))
  const isSame = others.length === 0 && changed.length === changed_count && effect !== 'nothing'
  const [verb] = isSame ? UNDO[effect] : ['give']
  const does = verb === 'give' ? (isRedo ? 'redo' : 'undo') : verb
  return upperFirst(changed_count === 1 ? `${does} it too` : `${does} all ${formatNumber(changed_count)} too`)
}

/** 'Removed 2,841 sources', from the counts of an undo that is done: their names are the effects with spaces. */
export function undoneText(counts: Record<string, number>, isRedo: boolean) {
  const parts = wordsOf(isRedo).flatMap(([name, [verb, what]]) =>
    part(verb === 'give' ? 'gave' : `${verb}d`, what, counts[name.replaceAll('_', ' ')]),
  )
  const left = counts['left alone'] ?? 0
  const nouns = Object.keys(counts).flatMap((effect) => nounOf(effect) ?? [])
  const rows = formatCount(left, nouns[0] ?? 'row')
  return sentence(left > 0 ? [...parts, `left ${rows} alone`] : parts)
}

const NOUNS = ['source', 'user', 'workspace', 'dashboard'] as const

function nounOf(effect: string) {
  return NOUNS.find((noun) => effect.startsWith(`${noun}s`))
}

function part(verb: string, what: What, count = 0) {
  return count > 0 ? [`${verb} ${what(count)}`] : []
}

function sentence(parts: string[]) {
  const text = list.format(parts)
  return text === '' ? undefined : upperFirst(text)
}

function upperFirst(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
