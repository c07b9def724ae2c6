import { type PointerEvent, useRef } from 'react'

const STARTS_AFTER_PX = 5
/** Of the width. */
const FAR = 0.35

/** Moves the element with the finger. `onAway` is called if it was moved far to one side. */
export function useSwipe(onAway: () => void) {
  const start = useRef<number>(undefined)

  function move(event: PointerEvent<HTMLElement>) {
    if (start.current === undefined) return
    const by = event.clientX - start.current
    if (Math.abs(by) < STARTS_AFTER_PX) return
    // A tap on a button inside still reaches it.
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.style.translate = `${by}px`
  }

  function end(event: PointerEvent<HTMLElement>) {
    const by = event.clientX - (start.current ?? event.clientX)
    start.current = undefined
    if (event.type === 'pointerup' && Math.abs(by) > event.currentTarget.offsetWidth * FAR) onAway()
    else event.currentTarget.style.translate = ''
  }

  return {
    onPointerDown: (event: PointerEvent) => {
      // With a mouse, text can be selected instead.
      if (event.pointerType !== 'mouse') start.current = event.clientX
    },
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
  }
}
