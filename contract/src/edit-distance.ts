const LONGEST = 255
// Reused: a file can have a hundred thousand misspelled texts, each compared with hundreds of names.
let beforeLast = new Uint16Array(LONGEST + 1)
let last = new Uint16Array(LONGEST + 1)
let row = new Uint16Array(LONGEST + 1)

/**
 * The number of insertions, deletions, substitutions and swaps of neighbors that turn one text into the other, or
 * `max + 1` if there are more than `max`. Computes only the cells of the matrix that can be within the limit.
 */
export function editDistance(a: string, b: string, max: number): number {
  const over = max + 1
  if (Math.abs(a.length - b.length) > max || Math.max(a.length, b.length) > LONGEST) return over
  for (let j = 0; j <= b.length; j += 1) last[j] = j
  let leastBefore = 0
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - max)
    const to = Math.min(b.length, i + max)
    row[from - 1] = from === 1 ? i : over
    if (to < b.length) row[to + 1] = over
    let least = at(row, from - 1)
    for (let j = from; j <= to; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) cost = Math.min(cost, at(beforeLast, j - 2) + 1)
      row[j] = Math.min(cost, over)
      least = Math.min(least, cost)
    }
    // A swap can still use the row before this one.
    if (least > max && leastBefore > max) return over
    leastBefore = least
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return Math.min(at(last, b.length), over)
}

function at(cells: Uint16Array, index: number) {
  return cells[index] ?? 0
}
