import { PAGINATION } from '@watchdesk/contract/limits'

/**
 * The page numbers to show, with null for a gap. The rules are those of react-paginate, where the specification's page
 * range and margin come from.
 */
export function pageNumbers(
  current: number,
  count: number,
  { range, margin } = PAGINATION as Shape,
): (number | null)[] {
  if (count <= range) return Array.from({ length: count }, (_, index) => index + 1)
  const selected = current - 1
  const [left, right] = sides(selected, count, range)
  const shown: (number | null)[] = []
  for (let page = 1; page <= count; page += 1) {
    const isMargin = page <= margin || page > count - margin
    const isNear = page - 1 >= selected - left && page - 1 <= selected + right
    if (isMargin || isNear) shown.push(page)
    else if (shown.at(-1) !== null) shown.push(null)
  }
  return shown.map((page, index) => page ?? onlyPageBetween(shown[index - 1], shown[index + 1]))
}

type Shape = { range: number; margin: number }

function sides(selected: number, count: number, range: number): [left: number, right: number] {
  const half = range / 2
  if (selected > count - half) return [range - (count - selected), count - selected]
  if (selected >= half) return [half, half]
  const right = range - selected
  return [selected, selected === 0 && range > 1 ? right - 1 : right]
}

/** A gap of one page would be as wide as its page number. */
function onlyPageBetween(before: number | null | undefined, after: number | null | undefined) {
  return before && after && after - before <= 2 ? before + 1 : null
}
