import { expect, onTestFinished, test, vi } from 'vitest'
import { parseCsv } from './csv-parser.ts'

function read(pieces: Iterable<string>) {
  const rows: string[][] = []
  const parser = parseCsv(',', ({ cells }) => rows.push(cells))
  for (const piece of pieces) parser.write(piece)
  parser.end()
  return rows
}

test.each([
  ['a,b\r\n\r\nc,\n', [['a', 'b'], [''], ['c', '']]],
  ['a\rb\n\rc', [['a'], ['b'], [''], ['c']]],
  ['"a""b","""","",""""""', [['a"b', '"', '', '""']]],
  ['"a\r\nb"c,d"e"\r"f', undefined],
  ['"a\r\nb"c,d"e"\r"f"', [['a\r\nbc', 'd"e"'], ['f']]],
  ['a,', [['a', '']]],
])('%j is read the same wherever a chunk ends', (text, rows) => {
  const expectSame = (pieces: Iterable<string>) =>
    rows ? expect(read(pieces)).toEqual(rows) : expect(() => read(pieces)).toThrow('opened and never closed')
  expectSame(text)
  for (let end = 0; end <= text.length; end += 1) expectSame([text.slice(0, end), text.slice(end)])
})

test.each(['"', ',', 'a', 'a"'])('no chunk of a long row of %j is read twice', (filling) => {
  const CHUNK = filling.repeat(10)
  const steps = [vi.spyOn(String.prototype, 'indexOf'), vi.spyOn(String.prototype, 'charCodeAt')]
  onTestFinished(() => void vi.restoreAllMocks())
  const parser = parseCsv(',', () => {})
  const counts = Array.from({ length: 200 }, () => {
    for (const step of steps) step.mockClear()
    parser.write(CHUNK)
    return steps.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  })
  expect(Math.max(...counts)).toBeLessThan(CHUNK.length * 4)
})
