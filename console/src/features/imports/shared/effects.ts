import type { UndoPreview } from '@watchdesk/contract/imports'
import { formatCount } from '../../../ui/display/format.ts'

type Effects = UndoPreview['effects']
type Words = (count: number) => string

const sources: Words = (count) => formatCount(count, 'source')
const stories: Words = (count) => formatCount(count, 'story', 'stories')
const their: Words = (count) => `${sources(count)} ${count === 1 ? 'its' : 'their'} country back`

/** What an undo does and did, in the order of the sentence. */
const WORDS: [effect: keyof Effects, does: string, did: string, what: Words][] = [
  ['sources_removed', 'removes', 'removed', sources],
  ['sources_restored', 'restores', 'restored', sources],
  ['sources_put_back', 'gives', 'gave', their],
  ['stories_removed', 'removes', 'removed', stories],
  ['stories_restored', 'restores', 'restored', stories],
  ['narratives_removed', 'removes', 'removed', (count) => formatCount(count, 'narrative')],
  ['sheet_rows_put_back', 'gives', 'gave', (count) => `the sheet its ${formatCount(count, 'row')} back`],
]

const list = new Intl.ListFormat('en')

/** 'Removes 2,841 sources and gives 12 sources their country back'. Undefined if nothing changes. */
export function effectsText(effects: Effects) {
  return sentence(WORDS.flatMap(([name, does, , what]) => part(does, what, effects[name])))
}

/** 'Removed 2,841 sources', from the counts of an undo that is done: their names are the effects with spaces. */
export function undoneText(counts: Record<string, number>) {
  const parts = WORDS.flatMap(([name, , did, what]) => part(did, what, counts[name.replaceAll('_', ' ')]))
  const left = counts['left alone'] ?? 0
  const isOfSources = Object.keys(counts).some((name) => name.startsWith('sources'))
  const rows = isOfSources ? sources(left) : formatCount(left, 'row')
  return sentence(left > 0 ? [...parts, `left ${rows} alone`] : parts)
}

function part(verb: string, what: Words, count = 0) {
  return count > 0 ? [`${verb} ${what(count)}`] : []
}

function sentence(parts: string[]) {
  const text = list.format(parts)
  return text === '' ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
