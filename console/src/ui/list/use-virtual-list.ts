import { useDebouncedCallback } from '@mantine/hooks'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Position, positionAfterScroll, positionAt, START, scrollHeight } from './virtual-list.ts'

const PAUSE_MS = 150
/** Smaller corrections are skipped, because some screens round the scroll position. */
const TOLERANCE_PX = 2

type VirtualList = {
  rows: number
  rowHeight: number
  /** The height of the sticky header. */
  headHeight: number
  /** Rows rendered before and after the visible ones. */
  overscan: number
}

/** Which of any number of rows to render, and how to scroll to others. */
export function useVirtualList(box: RefObject<HTMLElement | null>, options: VirtualList) {
  const { rows, rowHeight, headHeight, overscan } = options
  const position = useRef(START)
  const [viewport, setViewport] = useState(0)
  const [{ first, shift }, setShown] = useState({ first: 0, shift: 0 })
  const heights = { total: rows * rowHeight, viewport }

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setViewport(Math.max(0, element.clientHeight - headHeight))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [box, headHeight])

  function moveTo(next: Position) {
    position.current = next
    const now = { first: Math.floor(next.offset / rowHeight), shift: next.offset - next.scrollTop }
    // In the same frame as the scroll, so that no empty part is painted.
    if (now.first !== first || now.shift !== shift) flushSync(() => setShown(now))
    if (box.current && Math.round(box.current.scrollTop) !== next.scrollTop) box.current.scrollTop = next.scrollTop
  }

  const correctScrollbar = useDebouncedCallback(() => {
    const corrected = positionAt(position.current.offset, heights)
    if (Math.abs(corrected.scrollTop - position.current.scrollTop) > TOLERANCE_PX) moveTo(corrected)
  }, PAUSE_MS)

  /** Including partly visible rows. */
  const count = Math.ceil(viewport / rowHeight)
  const from = Math.max(0, first - overscan)
  const to = Math.min(rows, first + count + 1 + overscan)
  return {
    /** The first visible row, and how many are visible. */
    first,
    count,
    /** The rows to render: `to` is not one of them. */
    from,
    to,
    indexes: Array.from({ length: Math.max(0, to - from) }, (_, step) => from + step),
    /** The style of the element that contains the rows. */
    bodyStyle: { height: scrollHeight(heights.total), paddingTop: from * rowHeight - shift },
    onScroll: () => {
      moveTo(positionAfterScroll(position.current, box.current?.scrollTop ?? 0, heights))
      correctScrollbar()
    },
    /** Scrolls no further than necessary to show the whole row. */
    scrollIntoView: (row: number) => {
      const top = row * rowHeight
      const { offset } = position.current
      if (top < offset) moveTo(positionAt(top, heights))
      else if (top + rowHeight > offset + viewport) moveTo(positionAt(top + rowHeight - viewport, heights))
    },
    /** Scrolls the row to the top. */
    scrollToRow: (row: number) => moveTo(positionAt(row * rowHeight, heights)),
  }
}
