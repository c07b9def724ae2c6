/** The days of the charts. The default is not in the address. */
export const RANGES = [30, 90] as const
export type Range = (typeof RANGES)[number]

export function overviewSearch(given: Record<string, unknown>): { days?: Range } {
  const days = RANGES.find((range) => range === Number(given.days))
  return { days: days === RANGES[0] ? undefined : days }
}
