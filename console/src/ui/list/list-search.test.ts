import { expect, test } from 'vitest'
import { listSearch } from './list-search.ts'

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

test('what is not understood is set to undefined, so that the router does not pass it on', () => {
  const nothing = { page: undefined, search: undefined, sort: undefined, workspace_id: undefined }
  expect(read({ page: 'x', search: '', sort: 'x', workspace_id: 'x' })).toStrictEqual(nothing)
})
