import type { UndoPreview } from '@watchdesk/contract/operations/operations'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'

type Effects = UndoPreview['effects']
/** Ids of the rows that are undone although they changed since. */
export type Chosen = ReadonlySet<number> | 'all'

type Words = (count: number) => string

const sources: Words = (count) => formatCount(count, 'source')
const stories: Words = (count) => formatCount(count, 'story', 'stories')
const their: Words = (count) => `${sources(count)} ${count === 1 ? 'its' : 'their'} country back`
const counted =
  (noun: string): Words =>
  (count) =>
    formatCount(count, noun)
const formerly =
  (noun: string): Words =>
  (count) =>
    `${formatCount(count, noun)} ${count === 1 && noun !== 'user' ? 'its' : 'their'} former values back`
const again =
  (noun: string): Words =>
  (count) =>
    `${formatCount(count, noun)} again`

type Line = [effect: keyof Effects, does: string, did: string, what: Words]

/** What an undo does and did, in the order of the sentence. */
const WORDS: Line[] = [
  ['sources_removed', 'removes', 'removed', sources],
  ['sources_restored', 'restores', 'restored', sources],
  ['sources_put_back', 'gives', 'gave', their],
  ['stories_removed', 'removes', 'removed', stories],
  ['stories_restored', 'restores', 'restored', stories],
  ['narratives_removed', 'removes', 'removed', (count) => formatCount(count, 'narrative')],
  ['sheet_rows_put_back', 'gives', 'gave', (count) => `the sheet its ${formatCount(count, 'row')} back`],
  ['users_put_back', 'gives', 'gave', formerly('user')],
  ['users_restored', 'restores', 'restored', counted('user')],
  ['users_deleted', 'deletes', 'deleted', counted('user')],
  ['workspaces_put_back', 'gives', 'gave', formerly('workspace')],
  ['workspaces_restored', 'restores', 'restored', withUsers],
  ['workspaces_deleted', 'deletes', 'deleted', withUsers],
  ['dashboards_restored', 'restores', 'restored', counted('dashboard')],
  ['dashboards_deleted', 'deletes', 'deleted', counted('dashboard')],
]

function withUsers(count: number) {
  return `${formatCount(count, 'workspace')} with ${count === 1 ? 'its' : 'their'} users`
}

/** What a redo says instead: it gives nothing back, but makes the changes again. */
const REDO_WORDS: Line[] = [
  ['sources_put_back', 'changes', 'changed', (count) => `the country of ${sources(count)} again`],
  [
    'sheet_rows_put_back',
    'replaces',
    'replaced',
    (count) => `the rows of the sheet again: ${formatCount(count, 'row')}`,
  ],
  ['users_put_back', 'changes', 'changed', again('user')],
  ['workspaces_put_back', 'changes', 'changed', again('workspace')],
]

function wordsOf(isRedo: boolean) {
  return isRedo ? WORDS.map((line) => REDO_WORDS.find(([name]) => name === line[0]) ?? line) : WORDS
}

const list = new Intl.ListFormat('en')

/** 'Removes 2,841 sources and gives 12 sources their country back'. Undefined if nothing changes. */
export function effectsText(effects: Effects, isRedo: boolean, others = 0) {
  const parts = wordsOf(isRedo).flatMap(([name, does, , what]) => part(does, what, effects[name]))
  const more: Words = (count) => `${formatCount(count, 'other')} that changed since`
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
  const verb = isRedo ? 'Redo' : 'Undo'
  const [first] = changed
  const isSame = changed.length === changed_count && changed.every(({ effect }) => effect === first?.effect)
  const does = isSame && first ? (ALL_VERBS[first.effect] ?? verb) : verb
  return changed_count === 1 ? `${does} it too` : `${does} all ${formatNumber(changed_count)} too`
}

const ALL_VERBS: Partial<Record<UndoPreview['changed'][number]['effect'], string>> = {
  sources_removed: 'Remove',
  sources_restored: 'Restore',
  users_restored: 'Restore',
  users_deleted: 'Delete',
  workspaces_restored: 'Restore',
  workspaces_deleted: 'Delete',
  dashboards_restored: 'Restore',
  dashboards_deleted: 'Delete',
}

/** 'Removed 2,841 sources', from the counts of an undo that is done: their names are the effects with spaces. */
export function undoneText(counts: Record<string, number>, isRedo: boolean) {
  const parts = wordsOf(isRedo).flatMap(([name, , did, what]) => part(did, what, counts[name.replaceAll('_', ' ')]))
  const left = counts['left alone'] ?? 0
  const nouns = Object.keys(counts).flatMap((effect) => nounOf(effect) ?? [])
  const rows = formatCount(left, nouns[0] ?? 'row')
  return sentence(left > 0 ? [...parts, `left ${rows} alone`] : parts)
}

const NOUNS = ['source', 'user', 'workspace', 'dashboard'] as const

/** What an effect changes: 'user'. */
export function nounOf(effect: string) {
  return NOUNS.find((noun) => effect.startsWith(`${noun}s`))
}

function part(verb: string, what: Words, count = 0) {
  return count > 0 ? [`${verb} ${what(count)}`] : []
}

function sentence(parts: string[]) {
  const text = list.format(parts)
  return text === '' ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
