const MAX_LINES = 4
const DAY_MS = 24 * 60 * 60 * 1000

/** The values of the grid lines, from the lowest to the highest: round numbers that enclose all values. */
export function gridOf(values: number[], { fromZero }: { fromZero: boolean }): number[] {
  const low = fromZero ? 0 : Math.min(...values)
  const high = Math.max(...values, low + 1)
  for (let power = Math.floor(Math.log10((high - low) / MAX_LINES)); ; power += 1) {
    for (const factor of [1, 2, 5]) {
      const step = Math.max(1, factor * 10 ** power)
      const first = Math.floor(low / step)
      const lines = Math.ceil(high / step) - first + 1
      if (lines <= MAX_LINES) return Array.from({ length: lines }, (_, index) => (first + index) * step)
    }
  }
}

/** The number of days from one day to another, such as `2026-11-17`. */
export function daysBetween(from: string, to: string) {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

export function addDays(day: string, count: number) {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
}
