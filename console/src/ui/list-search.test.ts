import { expect, test } from 'vitest'
import { listSearch, runSearch, workspaceSearch } from './list-search.ts'

const read = listSearch(['id', 'email'])

test('reads page, search, sort and workspace from the address', () => {
  const search = { page: 3, search: 'olena', sort: '-email', workspace_id: 7 }
  expect(read(search)).toEqual(search)
})

test('a search for digits stays a text, however the address was parsed', () => {
  expect(read({ search: 123 })).toEqual({ search: '123' })
})

test.each([
  { page: 1 },
  { page: 0 },
  { page: -2 },
  { page: 1.5 },
  { page: 'x' },
  { page: 3e9 },
  { search: '' },
  { sort: 'password' },
  { sort: '--email' },
  { workspace_id: 'all' },
  { somebody: 'else' },
])('takes %o for nothing', (given) => {
  expect(read(given)).toEqual({})
})

test('create-user takes a workspace and nothing else', () => {
  expect(workspaceSearch({ workspace_id: '12', page: 3 })).toEqual({ workspace_id: 12 })
  expect(workspaceSearch({ workspace_id: 'x' })).toEqual({})
})

test('narratives vectorization takes a narrative and a page', () => {
  expect(runSearch({ narrative_id: '12', page: 3, search: 'x' })).toEqual({ narrative_id: 12, page: 3 })
  expect(runSearch({ narrative_id: -1, page: 1 })).toEqual({})
})
