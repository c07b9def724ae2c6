import { expect, test } from 'vitest'
import { pageNumbers } from './page-numbers.ts'

function written(current: number, count: number) {
  return pageNumbers(current, count)
    .map((page) => page ?? '…')
    .join(' ')
}

// As react-paginate 8 shows them with pageRangeDisplayed 3 and marginPagesDisplayed 1.
test.each([
  [1, 1, '1'],
  [1, 3, '1 2 3'],
  [1, 4, '1 2 3 4'],
  [1, 103, '1 2 3 … 103'],
  [2, 103, '1 2 3 4 … 103'],
  [3, 103, '1 2 3 4 … 103'],
  [4, 103, '1 2 3 4 5 … 103'],
  [5, 103, '1 … 4 5 6 … 103'],
  [100, 103, '1 … 99 100 101 102 103'],
  [101, 103, '1 … 100 101 102 103'],
  [102, 103, '1 … 101 102 103'],
  [103, 103, '1 … 101 102 103'],
])('page %i of %i: %s', (current, count, shown) => {
  expect(written(current, count)).toBe(shown)
})

test('without rows there are no pages', () => {
  expect(pageNumbers(1, 0)).toEqual([])
})
