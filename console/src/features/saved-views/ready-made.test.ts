import { VIEWED_LISTS, type ViewedList } from '@watchdesk/contract/saved-views'
import { expect, test } from 'vitest'
import { listSearch } from '../../ui/list/list-search.ts'
import { readyMadeViews } from './ready-made.ts'

test.each(Object.keys(VIEWED_LISTS) as ViewedList[])('the ready-made views of %s are valid addresses', (list) => {
  for (const { name, search } of readyMadeViews(list)) {
    expect({ name, search: listSearch(VIEWED_LISTS[list])(search) }).toEqual({ name, search })
  }
})

test.each([
  ['2026-11-17T10:00:00Z', '2026-11-01', '2026-11-30'],
  ['2028-02-29T23:59:59Z', '2028-02-01', '2028-02-29'],
  ['2026-12-01T00:00:00Z', '2026-12-01', '2026-12-31'],
])('this month, on %s, is from %s until %s', (now, trial_from, trial_to) => {
  const view = readyMadeViews('workspaces', new Date(now)).find(({ name }) => name === 'Trials that end this month')
  expect(view?.search).toMatchObject({ trial_from, trial_to })
})
