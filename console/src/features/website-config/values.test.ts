import { expect, test } from 'vitest'
import { bodyOf, labelOf, listIn, textOf } from './values.ts'

test.each([
  ['default_case_types', 'Default case types'],
  ['sources_sheet_vk', 'VK sources'],
  ['sources_sheet_youtube', 'YouTube sources'],
  ['sources_sheet_mastodon', 'Sources sheet mastodon'],
  ['site.support-email', 'Site support email'],
  ['___', '___'],
])('%s is labelled %s', (key, label) => {
  expect(labelOf(key)).toBe(label)
})

test.each([
  ['["fraud", "spam"]', ['fraud', 'spam']],
  ['[]', []],
  ['', []],
  ['{"a":1}', undefined],
  ['[1]', undefined],
  ['fraud', undefined],
])('the text %j holds the list %j', (text, list) => {
  expect(listIn(text)).toEqual(list)
})

test('values that are not strings are shown as JSON', () => {
  expect([null, undefined, 5, false, ['a'], 'x'].map(textOf)).toEqual(['', '', '5', 'false', '["a"]', 'x'])
})

test('values are sent unchanged, and null values are left out', () => {
  expect(bodyOf({ a: 'x', b: null, c: 5, d: '' })).toEqual({ a: 'x', c: 5, d: '' })
})
