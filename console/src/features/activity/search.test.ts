import { expect, test } from 'vitest'
import { activitySearch, countFilters, filtersOf } from './search.ts'

test('unknown values in the address are ignored', () => {
  const given = { entity: 'secret', entity_id: 7, action: 'x', actor_id: 'abc', time: '9d', from: '2026-02-30', to: 5 }
  expect(Object.values(activitySearch(given)).filter((value) => value !== undefined)).toEqual([])
})

test('the id of a record needs its kind', () => {
  expect(activitySearch({ entity: 'user', entity_id: 7 })).toMatchObject({ entity: 'user', entity_id: 7 })
  expect(activitySearch({ entity_id: 7 }).entity_id).toBeUndefined()
})

test('a time span begins at midnight, and the last day is included', () => {
  const now = new Date(2026, 10, 16, 15, 30)
  const at = (day: number) => new Date(2026, 10, day).toISOString()
  expect(filtersOf({ time: 'today' }, now)).toMatchObject({ from: at(16), to: undefined })
  expect(filtersOf({ time: '7d' }, now)).toMatchObject({ from: at(10), to: undefined })
  expect(filtersOf({ from: '2026-11-02', to: '2026-11-03' }, now)).toMatchObject({ from: at(2), to: at(4) })
})

test('a time span and a record each count as one filter, and the search as none', () => {
  expect(countFilters({ search: 'a' })).toBe(0)
  expect(countFilters({ from: '2026-11-02', to: '2026-11-03', entity: 'user', entity_id: 7 })).toBe(2)
  expect(countFilters({ actor_id: 1, action: 'update', time: '7d', workspace_id: 3, entity: 'user' })).toBe(5)
})
