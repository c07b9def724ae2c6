import { randomInt } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'

const REMEMBERED = 6
/** Timers have millisecond precision, so the last milliseconds are spent in event loop turns. */
const TIMER_PRECISION_MS = 2

/** Delays a response without a password check to match the duration of a recent check. */
export function createPace() {
  const times: number[] = []
  return { note, keep }

  function note(started: number) {
    times.push(performance.now() - started)
    if (times.length > REMEMBERED) times.shift()
  }

  async function keep(started: number) {
    const whole = times.length === 0 ? 0 : (times[randomInt(times.length)] ?? 0)
    for (;;) {
      const left = started + whole - performance.now()
      if (left <= 0) return
      await (left > TIMER_PRECISION_MS ? wait(left - TIMER_PRECISION_MS) : setImmediate())
    }
  }
}
