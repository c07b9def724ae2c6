import { expect, test } from 'vitest'
import { barHeight, follow, type Place, placeAt, START } from './scrolling.ts'

const VIEW = 600
const MILLION = { whole: 36_000_000, view: VIEW }
const END = { top: 36_000_000 - VIEW, bar: barHeight(36_000_000) - VIEW }

function wheel(from: Place, step: number, times: number, heights = MILLION) {
  let place = from
  for (let turn = 0; turn < times; turn += 1) place = follow(place, place.bar + step, heights)
  return place
}

test('rows that a browser can hold are scrolled as they are', () => {
  const heights = { whole: 360_000, view: VIEW }
  expect(barHeight(heights.whole)).toBe(360_000)
  expect(follow(START, 123_456, heights)).toEqual({ top: 123_456, bar: 123_456 })
  expect(placeAt(999_999, heights)).toEqual({ top: 359_400, bar: 359_400 })
})

test('rows fewer than the view has room for are not scrolled', () => {
  expect(placeAt(50, { whole: 72, view: VIEW })).toEqual(START)
  expect(follow(START, 50, { whole: 72, view: VIEW })).toEqual(START)
})

test('a wheel moves a million rows pixel by pixel, wherever they are', () => {
  for (const start of [0, 20_000, 18_000_000, 35_900_000]) {
    const place = placeAt(start, MILLION)
    expect(wheel(place, 120, 300).top).toBe(start + 36_000)
    expect(wheel(placeAt(start + 36_000, MILLION), -120, 300).top).toBe(start)
  }
})

test('the ends of bar and rows are reached together, and nowhere else', () => {
  const last = wheel(placeAt(END.top - 50_000, MILLION), 100, 500)
  expect(last).toEqual(END)
  expect(wheel(last, 100, 3)).toEqual(END)
  expect(wheel(placeAt(50_000, MILLION), -100, 500)).toEqual(START)
  const almost = wheel(placeAt(END.top - 50_000, MILLION), 100, 499)
  expect(almost.top).toBe(END.top - 100)
  expect(almost.bar).toBeLessThan(END.bar)
})

test('the scrollbar leads to any part, in proportion', () => {
  expect(follow(START, END.bar, MILLION)).toEqual(END)
  expect(follow(placeAt(END.top, MILLION), 0, MILLION)).toEqual(START)
  const middle = follow(START, END.bar / 2, MILLION)
  expect(Math.abs(middle.top - END.top / 2)).toBeLessThan(5)
})

test('what the bar shows and where it leads agree', () => {
  let before = -1
  for (let top = 0; top <= END.top; top += 90_001) {
    const { bar } = placeAt(top, MILLION)
    expect(bar).toBeGreaterThan(before)
    before = bar
    const far = bar > END.bar / 2 ? START : END
    // A pixel of the bar is a few of the rows.
    expect(Math.abs(follow(far, bar, MILLION).top - top)).toBeLessThan(4)
  }
})
