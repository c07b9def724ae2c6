import { expect, test } from 'vitest'
import { merge } from './merge.ts'

const BASE = { name: 'Atlas', tags: ['a', 'b'], quota: { limit: '10', balance: '5' } }

function merged(mine: object, theirs: object) {
  const versions = { base: BASE, mine: { ...BASE, ...mine }, theirs: { ...BASE, ...theirs } }
  return merge(versions, versions)
}

test('what only they changed is taken, what only I changed is kept', () => {
  expect(merged({ name: 'Mine' }, { tags: ['c'] })).toEqual({
    values: { ...BASE, name: 'Mine', tags: ['c'] },
    taken: [['tags']],
    clashes: [],
  })
})

test('fields of an object are merged one by one', () => {
  const { values, taken, clashes } = merged(
    { quota: { limit: '20', balance: '5' } },
    { quota: { limit: '10', balance: '1' } },
  )
  expect(values.quota).toEqual({ limit: '20', balance: '1' })
  expect({ taken, clashes }).toEqual({ taken: [['quota', 'balance']], clashes: [] })
})

test('the same change by both is no clash, a different one is', () => {
  const same = { name: 'New', quota: { balance: '7', limit: '10' } }
  expect(merged(same, same)).toMatchObject({ taken: [], clashes: [] })
  expect(merged({ name: 'Mine' }, { name: 'Theirs' })).toMatchObject({ taken: [], clashes: [['name']] })
})

test('a list is one field: different changes of it clash', () => {
  const { values, clashes } = merged({ tags: ['a', 'b', 'mine'] }, { tags: ['a', 'b', 'theirs'] })
  expect(clashes).toEqual([['tags']])
  expect(values.tags).toEqual(['a', 'b', 'mine'])
})

test('fields are compared as they are sent: the same amount, typed in two ways, is the same change', () => {
  const of = (limit: string) => ({ limit })
  const versions = { base: of('10'), mine: of('10,000'), theirs: of('10000') }
  const sent = { base: { limit: 10 }, mine: { limit: 10_000 }, theirs: { limit: 10_000 } }
  expect(merge(versions, sent)).toEqual({ values: { limit: '10,000' }, taken: [], clashes: [] })
})

test('a password that only the form has is kept', () => {
  const versions = { base: { password: '' }, mine: { password: 'new' }, theirs: { password: '' } }
  const sent = { base: {}, mine: { password: 'new' }, theirs: {} }
  expect(merge(versions, sent)).toEqual({ values: { password: 'new' }, taken: [], clashes: [] })
})

test('keys with dots are not paths, and an object that became null is taken as a whole', () => {
  const base = { 'a.b': '1', a: { b: '2' } as object | null }
  const theirs = { 'a.b': '3', a: null }
  expect(merge({ base, mine: base, theirs }, { base, mine: base, theirs })).toEqual({
    values: theirs,
    taken: [['a.b'], ['a']],
    clashes: [],
  })
})

test('a key that only they have is taken, empty and missing values are the same', () => {
  const [base, theirs] = [{ a: null } as object, { a: undefined, b: 'new' }]
  expect(merge({ base, mine: base, theirs }, { base, mine: base, theirs })).toMatchObject({
    values: { b: 'new' },
    taken: [['b']],
  })
})

test('the values that were given are not changed', () => {
  const before = JSON.stringify(BASE)
  merged({ name: 'Mine' }, { quota: { limit: '1', balance: '2' } })
  expect(JSON.stringify(BASE)).toBe(before)
})
