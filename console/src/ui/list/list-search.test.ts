import type { ListOptions } from '@watchdesk/contract/list'
import { expect, test } from 'vitest'
import { listFilter, listQuery, listSearch } from './list-search.ts'

const list = {
  search: 'Search name',
  sorts: ['id', 'email'],
  byWorkspace: true,
  filters: {
    status: { label: 'Status', placeholder: 'All statuses', options: { open: 'Open', done: 'Done' } },
    colors: { label: 'Colors', placeholder: 'All', options: { red: 'Red', blue: 'Blue' }, isMultiple: true },
  },
  values: { name: { label: 'Name', kind: 'name' }, under: { label: 'Less than', kind: 'percent' } },
} as const satisfies ListOptions
const read = listSearch(list)

test('reads page, search, sort, workspace and filters from the address', () => {
  const search = { page: 3, search: 'olena', sort: '-email', workspace_id: 7, status: 'done', name: 'x', under: 0 }
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
  { workspace_ids: '1,x' },
  { status: 'lost' },
  { colors: 'green' },
  { under: 101 },
  { under: -1 },
  { under: '1.5' },
  { somebody: 'else' },
])('takes %o for nothing', (given) => {
  expect(read(given)).toEqual({})
})

test('several values are separated by commas, without unknown ones', () => {
  expect(read({ colors: 'red,blue' })).toEqual({ colors: 'red,blue' })
  expect(read({ colors: 'blue,green' })).toEqual({ colors: 'blue' })
  expect(read({ workspace_ids: '7,8,7' })).toEqual({ workspace_ids: '7,8' })
})

test('invalid values are set to undefined, so that the router drops them', () => {
  const wrong = { page: 'x', search: '', sort: 'x', workspace_id: 'x', workspace_ids: 'x', status: 'x', colors: 'x' }
  const names = [...Object.keys(wrong), 'columns', 'name', 'under']
  expect(read({ ...wrong, name: '', under: 'x' })).toStrictEqual(
    Object.fromEntries(names.map((name) => [name, undefined])),
  )
})

test('columns are those that the list has, in the order of the address, each once', () => {
  const list = { columns: ['id', 'name'], moreColumns: ['status'] }
  const columns = listSearch(list)
  expect(columns({ columns: 'status,name,secret,status' })).toEqual({ columns: 'status,name' })
  expect(columns({ columns: 'secret' })).toEqual({})
  expect(listQuery(list, columns({ page: 2, columns: 'id' }))).toEqual({ page: 2 })
})

test('a list without search, sort or filters accepts only a page', () => {
  expect(listSearch({})({ page: 2, search: 'olena', sort: 'id', workspace_id: 7 })).toEqual({ page: 2 })
})

test('the workspaces in the address and several values are sent to the API as lists', () => {
  const query = listQuery(list, read({ page: 2, status: 'open', workspace_id: 7, colors: 'red,blue' }))
  expect(query).toEqual({ page: 2, status: 'open', workspace_ids: [7], colors: ['red', 'blue'] })
  expect(listQuery(list, read({ workspace_ids: '7,8' }))).toEqual({ workspace_ids: [7, 8] })
  expect(listQuery(list, read({}))).toEqual({})
})

test('the filters of a change of all rows that match are those of the address, without page and sort', () => {
  const search = { page: 3, search: 'olena', sort: '-email', workspace_id: 7, colors: 'red,blue' } as const
  expect(listFilter(list, read(search))).toEqual({ search: 'olena', workspace_ids: [7], colors: ['red', 'blue'] })
  expect(listFilter(list, read({ page: 2 }))).toEqual({})
})
