import { expect, test } from 'vitest'
import { outcomeSearch } from './search.ts'

test('a sheet takes an outcome, which stays a text', () => {
  expect(outcomeSearch({ outcome: 12, page: 3 })).toEqual({ outcome: '12' })
})

test('an empty outcome is set to undefined, so that the router does not pass it on', () => {
  expect(outcomeSearch({ outcome: '' })).toStrictEqual({ outcome: undefined })
})
