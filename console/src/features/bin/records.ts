import type { BinRecord } from '@watchdesk/contract/bin'
import { formatCount } from '../../ui/display/format.ts'
import { linkTo } from '../../ui/navigation/back-link.ts'
import { recordOf } from '../activity/shared/records.ts'

export function keyOf({ kind, id }: Pick<BinRecord, 'kind' | 'id'>) {
  return `${kind} ${id}`
}

export function removedIn({ days_left }: BinRecord) {
  if (days_left === 0) return 'any moment'
  return days_left === 1 ? 'within a day' : `in ${formatCount(days_left, 'day')}`
}

/** A link to a restored record, for its message. */
export function linkOf({ kind, id }: BinRecord) {
  const to = recordOf(kind)?.page(id)
  return to === undefined ? {} : { link: linkTo({ to, search: {} }) }
}
