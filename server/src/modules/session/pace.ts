import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

const REMEMBERED = 6
/** By how much timers are late. */
const TIMER_LATE_MS = 1

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
    await wait(Math.max(0, whole - (performance.now() - started) - TIMER_LATE_MS))
  }
}
