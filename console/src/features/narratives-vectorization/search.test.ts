import { expect, test } from 'vitest'
import { runSearch } from './search.ts'

test('narratives vectorization takes a narrative and a page', () => {
  expect(runSearch({ narrative_id: '12', page: 3, search: 'x' })).toEqual({ narrative_id: 12, page: 3 })
})

test('what is not understood is set to undefined, so that the router does not pass it on', () => {
  expect(runSearch({ narrative_id: -1, page: 1 })).toStrictEqual({ narrative_id: undefined, page: undefined })
})
