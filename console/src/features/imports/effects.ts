import type { UndoPreview } from '@watchdesk/contract/imports'
import { formatCount } from '../../ui/display/format.ts'

type Effects = UndoPreview['effects']

/** In the order of the sentence. */
const WORDS: [keyof Effects, (count: number) => string][] = [
  ['sources_removed', (count) => `removes ${formatCount(count, 'source')}`],
  ['sources_restored', (count) => `restores ${formatCount(count, 'source')}`],
  [
    'sources_put_back',
    (count) => `gives ${formatCount(count, 'source')} ${count === 1 ? 'its' : 'their'} country back`,
  ],
  ['stories_removed', (count) => `removes ${formatCount(count, 'story', 'stories')}`],
  ['stories_restored', (count) => `restores ${formatCount(count, 'story', 'stories')}`],
  ['narratives_removed', (count) => `removes ${formatCount(count, 'narrative')}`],
  ['sheet_rows_put_back', (count) => `gives the sheet its ${formatCount(count, 'row')} back`],
]

const list = new Intl.ListFormat('en')

/** 'Removes 2,841 sources and gives 12 sources their country back.' Undefined if nothing changes. */
export function effectsText(effects: Effects): string | undefined {
  const parts = WORDS.flatMap(([name, words]) => (effects[name] > 0 ? [words(effects[name])] : []))
  if (parts.length === 0) return
  const text = list.format(parts)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
