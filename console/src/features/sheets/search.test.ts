import { expect, test } from 'vitest'
import { outcomeSearch } from './search.ts'

test('a sheet accepts an outcome, which stays a string', () => {
  expect(outcomeSearch({ outcome: 12, page: 3 })).toEqual({ outcome: '12' })
})

test('an empty outcome is set to undefined, so that the router drops it', () => {
  expect(outcomeSearch({ outcome: '' })).toStrictEqual({ outcome: undefined })
})
