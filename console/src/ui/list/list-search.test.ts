import { expect, test } from 'vitest'
import { listQuery, listSearch } from './list-search.ts'

const read = listSearch({
  search: 'Search name',
  sorts: ['id', 'email'],
  byWorkspace: true,
  filters: { status: { label: 'Status', placeholder: 'All statuses', options: { open: 'Open', done: 'Done' } } },
})

test('reads page, search, sort, workspace and filters from the address', () => {
  const search = { page: 3, search: 'olena', sort: '-email', workspace_id: 7, status: 'done' }
  expect(read(search)).toEqual(search)
})

test('a search for digits stays a string, however the address was parsed', () => {
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
  { status: 'lost' },
  { somebody: 'else' },
])('takes %o for nothing', (given) => {
  expect(read(given)).toEqual({})
})

test('invalid values are set to undefined, so that the router drops them', () => {
  const nothing = { page: undefined, search: undefined, sort: undefined, workspace_id: undefined, status: undefined }
  expect(read({ page: 'x', search: '', sort: 'x', workspace_id: 'x', status: 'x' })).toStrictEqual(nothing)
})

test('a list without search, sort or filters accepts only a page', () => {
  expect(listSearch({})({ page: 2, search: 'olena', sort: 'id', workspace_id: 7 })).toEqual({ page: 2 })
})

test('the workspace in the address is sent to the API as a list of one', () => {
  expect(listQuery(read({ page: 2, status: 'open', workspace_id: 7 }))).toEqual({
    page: 2,
    status: 'open',
    workspace_ids: [7],
  })
  expect(listQuery(read({}))).toEqual({})
})
