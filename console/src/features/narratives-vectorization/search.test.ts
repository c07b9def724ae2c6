import { expect, test } from 'vitest'
import { runSearch } from './search.ts'

test('narratives vectorization accepts a narrative and a page', () => {
  expect(runSearch({ narrative_id: '12', page: 3, search: 'x' })).toEqual({ narrative_id: 12, page: 3 })
})

test('invalid values are set to undefined, so that the router drops them', () => {
  expect(runSearch({ narrative_id: -1, page: 1 })).toStrictEqual({ narrative_id: undefined, page: undefined })
})
