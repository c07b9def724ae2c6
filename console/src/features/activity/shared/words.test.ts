import { expect, test } from 'vitest'
import { compareLists, compareTexts, type Piece } from './words.ts'

/** Changed pieces in brackets. */
const marked = (pieces: Piece[]) => pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')

test.each([
  ['the quick brown fox', 'the slow brown fox', 'the [quick] brown fox', 'the [slow] brown fox'],
  ['a b c', 'a b c', 'a b c', 'a b c'],
  ['', 'new text', '', '[new text]'],
  ['Київ, щоденний огляд', 'Київ, тижневий огляд', 'Київ, [щоденний] огляд', 'Київ, [тижневий] огляд'],
  ['one two three', 'one 2 3 three', 'one [two] three', 'one [2 3 ]three'],
  ['Regional newsroom.', 'Regional newsroom!', 'Regional newsroom[.]', 'Regional newsroom[!]'],
  ['line one\nline two', 'line one\nline 2', 'line one\nline [two]', 'line one\nline [2]'],
])('%j and %j are compared by words', (before, after, old, now) => {
  const compared = compareTexts(before, after)
  expect([marked(compared.before), marked(compared.after)]).toEqual([old, now])
})

test('both sides are complete, whatever changed', () => {
  const words = (seed: number) =>
    Array.from({ length: 200 }, (_, index) => `w${(index * seed) % 37}${index % 9 === 0 ? '\n' : ' '}`).join('')
  const [before, after] = [words(5), words(11)]
  const compared = compareTexts(before, after)
  const join = (pieces: Piece[]) => pieces.map(({ text }) => text).join('')
  expect([join(compared.before), join(compared.after)]).toEqual([before, after])
})

test('long texts that have nothing in common are not compared word by word', () => {
  const text = (word: string) => Array.from({ length: 5_000 }, (_, index) => `${word}${index}`).join(' ')
  const { before, after } = compareTexts(text('a'), text('b'))
  expect([before.length, after.length]).toEqual([1, 1])
})

test('entries of a list are added and removed, and those that moved are not marked', () => {
  const { before, after } = compareLists(['search', 'admin', 'export'], ['export', 'search', 'stories'])
  expect([marked(before), marked(after)]).toEqual(['search[admin]export', 'exportsearch[stories]'])
})
