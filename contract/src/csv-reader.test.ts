import { expect, test } from 'vitest'
import { createCsvReader } from './csv-reader.ts'

function read(...pieces: string[]) {
  const rows: string[][] = []
  const reader = createCsvReader(({ cells }) => rows.push(cells))
  for (const piece of pieces) reader.write(piece)
  reader.end()
  return rows
}

test.each(['sep=;\r\na;b,c\r\n', 'sep=;\ra;b,c\r', '"sep=;",,\na;b,c\n'])(
  'the separator of %j is found wherever a chunk ends',
  (text) => {
    for (let end = 0; end <= text.length; end += 1) {
      expect(read(text.slice(0, end), text.slice(end))).toEqual([['a', 'b,c']])
    }
  },
)

test('a file with nothing but a separator has no rows', () => {
  expect(read('sep=;\r')).toEqual([])
})
