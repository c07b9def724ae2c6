/**
 * A million rows are taller than browsers make an element: Firefox stops at 17 million pixels. Above this height the
 * scrollbar stands for the rows in proportion, while steps of wheel, finger and keys still move them pixel by pixel.
 */
const TALLEST = 8_000_000
/** A longer step is one of the scrollbar, a pixel of which stands for more than this; no wheel turns so far at once. */
const JUMP = 3_000
/** So close to either end bar and rows go together, so that neither arrives before the other. */
const EDGE = 10_000

/** How far the rows are scrolled, and where the browser's scrollbar stands, in pixels both. */
export type Place = { top: number; bar: number }
/** Of all rows together, and of the part that is in view. */
export type Heights = { whole: number; view: number }

export const START: Place = { top: 0, bar: 0 }

/** How tall the scrolled element is made. */
export function barHeight(whole: number) {
  return Math.min(whole, TALLEST)
}

/** Where the bar belongs when the rows are scrolled so far. */
export function placeAt(wanted: number, heights: Heights): Place {
  const end = endOf(heights)
  const top = Math.round(clamp(wanted, end.top))
  if (end.top === end.bar || top <= EDGE) return { top, bar: top }
  const left = end.top - top
  if (left <= EDGE) return { top, bar: end.bar - left }
  return { top, bar: Math.round(EDGE + ((top - EDGE) * (end.bar - 2 * EDGE)) / (end.top - 2 * EDGE)) }
}

/** Where the rows are when the bar was moved there. */
export function follow(place: Place, moved: number, heights: Heights): Place {
  const end = endOf(heights)
  const bar = Math.round(clamp(moved, end.bar))
  if (end.top === end.bar) return { top: bar, bar }
  const step = bar - place.bar
  if (Math.abs(step) > JUMP) return { top: topOfBar(bar, end), bar }
  const top = clamp(place.top + step, end.top)
  const isDone = top !== place.top + step
  const isAhead = (bar < JUMP && top > bar) || (end.bar - bar < JUMP && end.top - top > end.bar - bar)
  // Put right before an end is reached: there the browser would take no further step.
  return isDone || isAhead ? placeAt(top, heights) : { top, bar }
}

function topOfBar(bar: number, end: Place) {
  if (bar <= EDGE) return bar
  const left = end.bar - bar
  if (left <= EDGE) return end.top - left
  return Math.round(EDGE + ((bar - EDGE) * (end.top - 2 * EDGE)) / (end.bar - 2 * EDGE))
}

function endOf({ whole, view }: Heights): Place {
  return { top: Math.max(0, whole - view), bar: Math.max(0, barHeight(whole) - view) }
}

function clamp(value: number, most: number) {
  return Math.min(Math.max(value, 0), most)
}
