/** The bounds of the area: strict if there are enough measurements. */
export function boundsOf(runs: number): [least: number, most: number] {
  return runs >= 300 ? [0.45, 0.55] : [0.25, 0.75]
}

/** How often a time in `first` exceeds one in `second`: 0.5 if they are indistinguishable. */
export function auc(first: number[], second: number[]) {
  const wins = first.flatMap((a) => second.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length
}
