import { FAILED_OUTCOMES, type Import } from '@watchdesk/contract/imports'
import { SOURCE_OUTCOMES } from '@watchdesk/contract/source-row'
import { expect, test } from 'vitest'
import { effectsText, undoneText } from './effects.ts'
import { reasonOf } from './reasons.ts'
import { resultText } from './result-text.ts'
import { verifiedText } from './verified.tsx'

function textOf(kind: Import['kind'], counts: Record<string, number>, summary: string | null = null) {
  return resultText({ kind, counts, summary })
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

const NONE = {
  sources_removed: 0,
  sources_put_back: 0,
  sources_restored: 0,
  stories_removed: 0,
  stories_restored: 0,
  narratives_removed: 0,
  sheet_rows_put_back: 0,
}

test('what an undo would do, and did, is a sentence with numbers', () => {
  expect(effectsText(NONE)).toBeUndefined()
  expect(effectsText({ ...NONE, sources_removed: 2841, sources_put_back: 12 })).toBe(
    'Removes 2,841 sources and gives 12 sources their country back',
  )
  expect(effectsText({ ...NONE, sources_put_back: 1 })).toBe('Gives 1 source its country back')
  expect(effectsText({ ...NONE, stories_removed: 1, stories_restored: 40, narratives_removed: 2 })).toBe(
    'Removes 1 story, restores 40 stories, and removes 2 narratives',
  )
  expect(undoneText({ 'sheet rows put back': 7 })).toBe('Gave the sheet its 7 rows back')
})

test('the proof says what differs', () => {
  const proof = { checksum: 'a', at: '2026-11-17T01:00:00Z', expected_count: 2841, stored_count: 2841 }
  expect(verifiedText({ ...proof, is_equal: true })).toBe('Verified: 2,841 of 2,841 stored')
  expect(verifiedText({ ...proof, stored_count: 2840, is_equal: false })).toBe('Not verified: 2,840 of 2,841 stored')
  expect(verifiedText({ ...proof, is_equal: false })).toContain('contents differ from what was sent')
})
