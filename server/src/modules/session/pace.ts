import { randomInt } from 'node:crypto'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'

const REMEMBERED = 6
/** A timer counts whole milliseconds: the last ones are waited for turn by turn of the event loop. */
const TIMER_PRECISION_MS = 2

/** Lets an answer that needed no check take as long as one of the latest that did. */
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
