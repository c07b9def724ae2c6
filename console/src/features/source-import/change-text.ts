import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { previewLabel } from './row.tsx'
import type { Change, Changed } from './worker/messages.ts'

/** What a change did, for the line below the grid, which screen readers announce. */
export function changeText({ type }: Change, { first, rows, others, left }: Changed) {
  if (!first) return type === 'undo' || type === 'redo' ? `Nothing to ${type}.` : 'Nothing changed.'
  const start = type === 'undo' ? 'Undone. ' : type === 'redo' ? 'Redone. ' : ''
  const what =
    rows === 1
      ? `Row ${formatNumber(first.row)}: ${previewLabel(first.outcome)}.`
      : `${formatCount(rows, 'row')} changed.`
  const also = others > 0 ? ` ${formatCount(others, 'other row')} changed with it.` : ''
  const rest = left > 0 ? ` ${formatCount(left, 'value')} did not fit.` : ''
  return `${start}${what}${also}${rest}`
}
