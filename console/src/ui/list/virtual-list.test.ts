import { expect, test } from 'vitest'
import { type Position, positionAfterScroll, positionAt, START, scrollHeight } from './virtual-list.ts'

const VIEWPORT = 600
const MILLION = { total: 36_000_000, viewport: VIEWPORT }
const END = { offset: 36_000_000 - VIEWPORT, scrollTop: scrollHeight(36_000_000) - VIEWPORT }

function wheel(from: Position, step: number, times: number, heights = MILLION) {
  let position = from
  for (let turn = 0; turn < times; turn += 1)
    position = positionAfterScroll(position, position.scrollTop + step, heights)
  return position
}

test('rows that fit into one element are scrolled natively', () => {
  const heights = { total: 360_000, viewport: VIEWPORT }
  expect(scrollHeight(heights.total)).toBe(360_000)
  expect(positionAfterScroll(START, 123_456, heights)).toEqual({ offset: 123_456, scrollTop: 123_456 })
  expect(positionAt(999_999, heights)).toEqual({ offset: 359_400, scrollTop: 359_400 })
})

test('rows that fit into the viewport are not scrolled', () => {
  expect(positionAt(50, { total: 72, viewport: VIEWPORT })).toEqual(START)
  expect(positionAfterScroll(START, 50, { total: 72, viewport: VIEWPORT })).toEqual(START)
})

test('the wheel moves a million rows pixel by pixel at any offset', () => {
  for (const start of [0, 20_000, 18_000_000, 35_900_000]) {
    const position = positionAt(start, MILLION)
    expect(wheel(position, 120, 300).offset).toBe(start + 36_000)
    expect(wheel(positionAt(start + 36_000, MILLION), -120, 300).offset).toBe(start)
  }
})

test('scrollbar and rows reach their ends together, and nowhere else', () => {
  const last = wheel(positionAt(END.offset - 50_000, MILLION), 100, 500)
  expect(last).toEqual(END)
  expect(wheel(last, 100, 3)).toEqual(END)
  expect(wheel(positionAt(50_000, MILLION), -100, 500)).toEqual(START)
  const almost = wheel(positionAt(END.offset - 50_000, MILLION), 100, 499)
  expect(almost.offset).toBe(END.offset - 100)
  expect(almost.scrollTop).toBeLessThan(END.scrollTop)
})

test('dragging the scrollbar scrolls the rows in proportion', () => {
  expect(positionAfterScroll(START, END.scrollTop, MILLION)).toEqual(END)
  expect(positionAfterScroll(positionAt(END.offset, MILLION), 0, MILLION)).toEqual(START)
  const middle = positionAfterScroll(START, END.scrollTop / 2, MILLION)
  expect(Math.abs(middle.offset - END.offset / 2)).toBeLessThan(5)
})

test('the scrollbar shows the offset that dragging it there leads to', () => {
  let before = -1
  for (let offset = 0; offset <= END.offset; offset += 90_001) {
    const { scrollTop } = positionAt(offset, MILLION)
    expect(scrollTop).toBeGreaterThan(before)
    before = scrollTop
    const far = scrollTop > END.scrollTop / 2 ? START : END
    // One pixel of the scrollbar is a few pixels of the rows.
    expect(Math.abs(positionAfterScroll(far, scrollTop, MILLION).offset - offset)).toBeLessThan(4)
  }
})
