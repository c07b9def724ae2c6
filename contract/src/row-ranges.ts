import { MAX_ID } from './limits.ts'

export type RowRange = [first: number, last: number]

/** Ascending row numbers as text: '2-29,31', both ends included. */
export function writeRowRanges(numbers: Iterable<number>) {
  const ranges: RowRange[] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range && range[1] === number - 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** Undefined if the text is not one that `writeRowRanges` could have written. */
export function readRowRanges(text: string): RowRange[] | undefined {
  const ranges: RowRange[] = []
  let before = 0
  for (const part of text.split(',')) {
    const [, start, end = start] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part) ?? []
    const first = Number(start)
    const last = Number(end)
    if (start === undefined || first <= before || last < first || last > MAX_ID) return undefined
    ranges.push([first, last])
    before = last
  }
  return ranges
}
