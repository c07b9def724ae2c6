import type { Operation } from '@watchdesk/contract/operations/operations'
import { formatNumber } from '../../../ui/display/format.ts'
import { Icon } from '../../../ui/display/icon.tsx'
import classes from './verified.module.css'

type Verification = NonNullable<Operation['verification']>

/** The proof of what was stored, in words: 'Verified: 2,841 of 2,841 stored'. */
export function Verified({ verification, isPast = false }: { verification: Verification; isPast?: boolean }) {
  const { is_equal, expected_count } = verification
  // There is nothing to prove about an import that stored nothing.
  if (is_equal && expected_count === 0) return null
  return (
    <p className={classes.verified} data-differs={!is_equal || undefined} data-past={isPast || undefined}>
      <Icon name={is_equal ? 'shield' : 'alert'} size={16} />
      <span>
        {isPast && 'At that time: '}
        {verifiedText(verification)}
      </span>
    </p>
  )
}

export function verifiedText({ is_equal, stored_count, expected_count }: Verification) {
  const counts = `${formatNumber(stored_count)} of ${formatNumber(expected_count)} stored`
  if (is_equal) return `Verified: ${counts}`
  if (stored_count !== expected_count) return `Not verified: ${counts}`
  return `Not verified: ${counts}, but their contents differ from what was sent`
}
