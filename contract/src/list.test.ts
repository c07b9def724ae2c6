import { expect, test } from 'vitest'
import { listQuery } from './page.schema.ts'

const list = {
  search: 'Search title',
  sorts: ['id', 'title'],
  byWorkspace: true,
  filters: { status: { label: 'Status', placeholder: 'All statuses', options: { draft: 'Draft', sent: 'Sent' } } },
} as const

test('the query of a list accepts what its options declare', () => {
  const query = { page: '2', page_size: '50', search: 'June', sort: '-title', workspace_ids: '1,2', status: 'sent' }
  expect(listQuery(list).parse(query)).toEqual({ ...query, page: 2, page_size: 50, workspace_ids: [1, 2] })
  expect(listQuery(list).parse({})).toEqual({})
})

test.each([{ sort: 'secret' }, { sort: '--id' }, { status: 'lost' }, { status: '' }, { color: 'red' }])(
  'and refuses %o',
  (query) => {
    expect(listQuery(list).safeParse(query).success).toBe(false)
  },
)

test.each([{ search: 'June' }, { sort: 'id' }, { workspace_ids: '1' }, { status: 'sent' }])(
  'a list without options refuses %o',
  (query) => {
    expect(listQuery({}).safeParse(query).success).toBe(false)
  },
)
