import type { Operation } from './operations.ts'

/** Which ways of doing something wrong are tried on which calls: of all ways, `each` of them on most calls. */
export type Pair = <Item extends { operation: Operation }, Way>(
  items: Item[],
  ways: readonly Way[] | ((item: Item) => readonly Way[]),
  each?: number,
) => (Item & { ways: Way[] })[]

/** The full product, for the complete suite. */
export const everyWay: Pair = (items, ways) => items.map((item) => ({ ...item, ways: [...waysOf(item, ways)] }))

/**
 * Every way on the calls that stand for a mechanism, and some on each of the others, in turn: every call meets the
 * mechanism, whichever part of it, and a new call does so too. With none of them on each, the others are left out.
 */
export function inTurn(operations: Operation[], representatives: string[]): Pair {
  const missing = representatives.filter((name) => !operations.some((operation) => operation.name === name))
  if (missing.length > 0) throw new Error(`There is no call ${missing}`)
  return (items, ways, each = 1) => {
    let next = 0
    return items.flatMap((item) => {
      const all = waysOf(item, ways)
      if (representatives.includes(item.operation.name)) return [{ ...item, ways: [...all] }]
      next += each
      const some = all.filter((_, index) => (index + next) % all.length < each)
      return some.length > 0 ? [{ ...item, ways: some }] : []
    })
  }
}

function waysOf<Item, Way>(item: Item, ways: readonly Way[] | ((item: Item) => readonly Way[])) {
  return typeof ways === 'function' ? ways(item) : ways
}
