import { useDebouncedCallback } from '@mantine/hooks'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { barHeight, follow, type Place, placeAt, START } from './scrolling.ts'

const PAUSE_MS = 150
/** A bar that stands so near to where it belongs is left alone: some screens round its place. */
const NEAR = 2

type Scrolled = {
  rows: number
  rowHeight: number
  /** What of the box stays in view above the rows. */
  headHeight: number
}

/** Which rows are in view, and how to bring others there. */
export function useScrolling(box: RefObject<HTMLElement | null>, { rows, rowHeight, headHeight }: Scrolled) {
  const place = useRef(START)
  const [view, setView] = useState(0)
  const [{ first, shift }, setShown] = useState({ first: 0, shift: 0 })
  const heights = { whole: rows * rowHeight, view }

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setView(Math.max(0, element.clientHeight - headHeight))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [box, headHeight])

  function show(next: Place) {
    place.current = next
    const now = { first: Math.floor(next.top / rowHeight), shift: next.top - next.bar }
    // In the frame of the scroll itself: no empty part is ever painted.
    if (now.first !== first || now.shift !== shift) flushSync(() => setShown(now))
    if (box.current && Math.round(box.current.scrollTop) !== next.bar) box.current.scrollTop = next.bar
  }

  const settle = useDebouncedCallback(() => {
    const settled = placeAt(place.current.top, heights)
    if (Math.abs(settled.bar - place.current.bar) > NEAR) show(settled)
  }, PAUSE_MS)

  return {
    /** The first row in view, and how many have room there, cut ones included. */
    first,
    count: Math.ceil(view / rowHeight),
    height: barHeight(heights.whole),
    /** Where a row lies inside that height. */
    offsetOf: (row: number) => row * rowHeight - shift,
    scrolled: () => {
      show(follow(place.current, box.current?.scrollTop ?? 0, heights))
      settle()
    },
    /** Scrolls no further than is needed to see the whole row. */
    reveal: (row: number) => {
      const top = row * rowHeight
      const { top: current } = place.current
      if (top < current) show(placeAt(top, heights))
      else if (top + rowHeight > current + view) show(placeAt(top + rowHeight - view, heights))
    },
    /** Brings the row to the top. */
    goTo: (row: number) => show(placeAt(row * rowHeight, heights)),
  }
}
