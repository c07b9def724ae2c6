import { FAILED_OUTCOMES, type Operation, type UndoPreview } from '@watchdesk/contract/operations/operations'
import * as schema from '@watchdesk/contract/operations/operations.schema'
import { SOURCE_OUTCOMES } from '@watchdesk/contract/source-row'
import { expect, test } from 'vitest'
import { allLabel, effectsText, effectsWith, undoneText } from './effects.ts'
import { reasonOf } from './reasons.ts'
import { verifiedText } from './verified.tsx'
import { resultText } from './words.ts'

function textOf(kind: Operation['kind'], counts: Record<string, number>, summary: string | null = null) {
  return resultText({ kind, counts, summary, is_redo: false })
}

test('the result of each kind of import is a sentence', () => {
  expect(textOf('source_import', { requested: 2841, 'invalid URL': 159 })).toBe('2,841 of 3,000 rows added')
  expect(textOf('source_import', { 'already monitored': 3 })).toBe('No new sources in 3 rows')
  expect(textOf('platform_import', { added: 1, updated: 12, unchanged: 7 })).toBe(
    '1 source added and 12 updated, from 20 rows',
  )
  expect(textOf('platform_import', { unchanged: 1 })).toBe('Nothing new in 1 row')
  expect(textOf('export', { exported: 5000 })).toBe('5,000 sources exported')
  expect(textOf('sources_change', { changed: 2 }, 'Removed 2 sources')).toBe('Removed 2 sources')
  expect(textOf('sheet_replacement', { rows: 4 })).toBe('The sheet got 4 rows')
  expect(textOf('undo', { 'sources removed': 2, 'left alone': 1 })).toBe('Removed 2 sources and left 1 source alone')
  expect(textOf('undo', {})).toBe('Nothing was left to change')
})

test('every outcome of a row that failed has a reason that says what to do', () => {
  for (const outcome of [...SOURCE_OUTCOMES, ...FAILED_OUTCOMES]) {
    expect(reasonOf(outcome, 'source_import'), outcome).not.toBe('')
  }
  expect(reasonOf('unknown country', 'source_import')).toBe(
    'The country is not known. Write its name or two-letter code.',
  )
  expect(reasonOf('repeated in the file', 'stories_import')).toBe('The same story is in a row above.')
  expect(reasonOf('constructor', 'source_import')).toBe('')
})

const NONE = Object.fromEntries(
  Object.keys(schema.UndoPreview.shape.effects.shape).map((effect) => [effect, 0]),
) as UndoPreview['effects']

const undoes = (effects: object) => effectsText({ ...NONE, ...effects }, false)
const redoes = (effects: object) => effectsText({ ...NONE, ...effects }, true)

test('what an undo would do, and did, is a sentence with numbers', () => {
  expect(effectsText(NONE, false)).toBeUndefined()
  expect(undoes({ sources_removed: 2841, sources_put_back: 12 })).toBe(
    'Removes 2,841 sources and gives 12 sources their country back',
  )
  expect(undoes({ sources_put_back: 1 })).toBe('Gives 1 source its country back')
  expect(undoes({ stories_removed: 1, stories_restored: 40, narratives_removed: 2 })).toBe(
    'Removes 1 story, restores 40 stories, and removes 2 narratives',
  )
  expect(undoneText({ 'sheet rows put back': 7 }, false)).toBe('Gave the sheet its 7 rows back')
  expect(undoes({ users_put_back: 28 })).toBe('Gives 28 users their former values back')
  expect(undoneText({ 'users put back': 27, 'left alone': 1 }, false)).toBe(
    'Gave 27 users their former values back and left 1 user alone',
  )
  expect(undoes({ workspaces_restored: 2 })).toBe('Restores 2 workspaces with their users')
  expect(undoneText({ 'dashboards restored': 1 }, false)).toBe('Restored 1 dashboard')
})

test('a redo says that it makes the changes again, not that it gives something back', () => {
  expect(redoes({ sources_restored: 3, sources_put_back: 112 })).toBe(
    'Restores 3 sources and changes the country of 112 sources again',
  )
  expect(undoneText({ 'sources put back': 112, 'left alone': 2 }, true)).toBe(
    'Changed the country of 112 sources again and left 2 sources alone',
  )
  expect(undoneText({ 'users put back': 28 }, true)).toBe('Changed 28 users again')
  expect(undoneText({ 'workspaces deleted': 1 }, true)).toBe('Deleted 1 workspace with its users')
  expect(undoneText({ 'sheet rows put back': 7 }, true)).toBe('Replaced the rows of the sheet again: 7 rows')
  const redone = resultText({ kind: 'undo', counts: { 'sources put back': 1 }, summary: null, is_redo: true })
  expect(redone).toBe('Changed the country of 1 source again')
})

const CHANGED = {
  name: 'a',
  what: 'edited',
  current: 'PL',
  earlier: null,
  changes: {},
  problem: null,
  at: null,
  by: null,
} as const

function previewOf(effects: UndoPreview['changed'][number]['effect'][], changed_count = effects.length): UndoPreview {
  const changed = effects.map((effect, id) => ({ ...CHANGED, id, effect }))
  return { effects: { ...NONE, sources_removed: 55 }, changed, changed_count, gone_count: 0, problem: null }
}

function withChosen(preview: UndoPreview, chosen: number[] | 'all') {
  const { effects, others } = effectsWith(preview, chosen === 'all' ? chosen : new Set(chosen))
  return effectsText(effects, false, others)
}

test('the question before an undo counts the rows that were chosen although they changed since', () => {
  const preview = previewOf(['sources_removed', 'sources_removed', 'nothing'])
  expect(withChosen(preview, [])).toBe('Removes 55 sources')
  expect(withChosen(preview, [1, 2])).toBe('Removes 56 sources')
  expect(withChosen(preview, 'all')).toBe('Removes 57 sources')
  const many = previewOf(['sources_removed', 'sources_put_back'], 1202)
  expect(withChosen(many, 'all')).toBe(
    'Removes 56 sources, gives 1 source its country back, and undoes 1,200 others that changed since',
  )
})

test('the box for all changed rows says what happens to them', () => {
  expect(allLabel(previewOf(['sources_removed', 'sources_removed']), false)).toBe('Remove all 2 too')
  expect(allLabel(previewOf(['sources_restored']), false)).toBe('Restore it too')
  expect(allLabel(previewOf(['sources_put_back', 'sources_put_back']), false)).toBe('Undo all 2 too')
  expect(allLabel(previewOf(['sources_removed', 'sources_restored']), true)).toBe('Redo all 2 too')
  // What happens to those that are not listed is not known.
  expect(allLabel(previewOf(['sources_removed'], 1202), false)).toBe('Undo all 1,202 too')
})

test('the proof says what differs', () => {
  const proof = { checksum: 'a', at: '2026-11-17T01:00:00Z', expected_count: 2841, stored_count: 2841 }
  expect(verifiedText({ ...proof, is_equal: true })).toBe('Verified: 2,841 of 2,841 stored')
  expect(verifiedText({ ...proof, stored_count: 2840, is_equal: false })).toBe('Not verified: 2,840 of 2,841 stored')
  expect(verifiedText({ ...proof, is_equal: false })).toContain('contents differ from what was sent')
})
