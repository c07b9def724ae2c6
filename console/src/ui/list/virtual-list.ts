/**
 * A million rows are taller than the tallest element of a browser: Firefox stops at 17 million pixels. Above this height
 * the scrollbar is proportional to the rows, while wheel, touch and keys still scroll pixel by pixel.
 */
const MAX_HEIGHT = 8_000_000
/** A longer step comes from dragging the scrollbar; no wheel scrolls that far at once. */
const MAX_STEP = 3_000
/** This close to either end, scrollbar and rows move together, so that both arrive at the same time. */
const EDGE = 10_000

/** How far the rows are scrolled, and the `scrollTop` of the element, both in pixels. */
export type Position = { offset: number; scrollTop: number }
/** The height of all rows together, and of the visible part. */
export type Heights = { total: number; viewport: number }

export const START: Position = { offset: 0, scrollTop: 0 }

/** The height of the scrolled element. */
export function scrollHeight(total: number) {
  return Math.min(total, MAX_HEIGHT)
}

/** The position with the rows scrolled to an offset. */
export function positionAt(wanted: number, heights: Heights): Position {
  const end = endOf(heights)
  const offset = Math.round(clamp(wanted, end.offset))
  if (end.offset === end.scrollTop || offset <= EDGE) return { offset, scrollTop: offset }
  const left = end.offset - offset
  if (left <= EDGE) return { offset, scrollTop: end.scrollTop - left }
  const scrollTop = EDGE + ((offset - EDGE) * (end.scrollTop - 2 * EDGE)) / (end.offset - 2 * EDGE)
  return { offset, scrollTop: Math.round(scrollTop) }
}

/** The position after the browser has scrolled the element. */
export function positionAfterScroll(before: Position, scrolledTo: number, heights: Heights): Position {
  const end = endOf(heights)
  const scrollTop = Math.round(clamp(scrolledTo, end.scrollTop))
  if (end.offset === end.scrollTop) return { offset: scrollTop, scrollTop }
  const step = scrollTop - before.scrollTop
  if (Math.abs(step) > MAX_STEP) return { offset: offsetAt(scrollTop, end), scrollTop }
  const offset = clamp(before.offset + step, end.offset)
  const isAtEnd = offset !== before.offset + step
  const left = end.scrollTop - scrollTop
  const isAhead = (scrollTop < MAX_STEP && offset > scrollTop) || (left < MAX_STEP && end.offset - offset > left)
  // Corrected before an end is reached: there the browser would not scroll any further.
  return isAtEnd || isAhead ? positionAt(offset, heights) : { offset, scrollTop }
}

function offsetAt(scrollTop: number, end: Position) {
  if (scrollTop <= EDGE) return scrollTop
  const left = end.scrollTop - scrollTop
  if (left <= EDGE) return end.offset - left
  return Math.round(EDGE + ((scrollTop - EDGE) * (end.offset - 2 * EDGE)) / (end.scrollTop - 2 * EDGE))
}

function endOf({ total, viewport }: Heights): Position {
  return { offset: Math.max(0, total - viewport), scrollTop: Math.max(0, scrollHeight(total) - viewport) }
}

function clamp(value: number, max: number) {
  return Math.min(Math.max(value, 0), max)
}
