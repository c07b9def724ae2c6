import { expect, test } from 'vitest'
import { runSearch } from './search.ts'

test('narratives vectorization accepts a narrative, a page and the filters of the runs', () => {
  const filters = { status: 'failed', from: '2026-11-11', to: '2026-11-17' }
  expect(runSearch({ narrative_id: '12', page: 3, search: 'x', ...filters })).toEqual({
    narrative_id: 12,
    page: 3,
    ...filters,
  })
})

test('invalid values are set to undefined, so that the router drops them', () => {
  expect(runSearch({ narrative_id: -1, page: 1, status: 'done', from: 'today' })).toStrictEqual({
    narrative_id: undefined,
    page: undefined,
    status: undefined,
    from: undefined,
    to: undefined,
  })
})
