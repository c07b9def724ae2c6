import { expect, test } from 'vitest'
import { listSearch, NO_WORKSPACE, outcomeSearch, runSearch, workspaceSearch } from './list-search.ts'

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
  expect(workspaceSearch({ workspace_id: '' })).toEqual({})
})

test.each(['abc', -1, 1.5, 3e9, '0'])(
  'create-user takes the workspace %o for one that does not exist',
  (workspace_id) => {
    expect(workspaceSearch({ workspace_id })).toEqual({ workspace_id: NO_WORKSPACE })
  },
)

test('what is not understood is named, so that the router does not pass it on', () => {
  const given = { page: 'x', search: '', sort: 'x', workspace_id: 'x', narrative_id: 'x', outcome: '' }
  for (const reader of [read, runSearch, outcomeSearch]) {
    const understood = { ...given, ...reader(given) }
    expect(Object.keys(reader(given)).filter((key) => understood[key as keyof typeof given] !== undefined)).toEqual([])
    expect(Object.keys(reader(given)).length).toBeGreaterThan(0)
  }
})

test('narratives vectorization takes a narrative and a page', () => {
  expect(runSearch({ narrative_id: '12', page: 3, search: 'x' })).toEqual({ narrative_id: 12, page: 3 })
  expect(runSearch({ narrative_id: -1, page: 1 })).toEqual({})
})
