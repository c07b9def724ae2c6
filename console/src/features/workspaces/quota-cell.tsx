import { formatNumber } from '../../ui/display/format.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import type { fieldsOf } from './fields.ts'
import { isLow } from './quota-bar.tsx'
import classes from './quota-cell.module.css'

type QuotaCellProps = { label: string; quota: ReturnType<typeof fieldsOf>['ai_quota'] | undefined }

/** What is left of a quota, in a table. */
export function QuotaCell({ label, quota }: QuotaCellProps) {
  const { balance = 0, limit = 0 } = quota ?? {}
  if (limit === 0 && balance === 0) return '–'
  const isWarning = isLow(balance, limit) || balance > limit
  return (
    <span className={classes.quota} data-warning={isWarning || undefined}>
      <span>
        {formatNumber(balance)} of {formatNumber(limit)}
      </span>
      {/* Hidden from assistive technology: the text says the same. */}
      <span className={classes.bar} aria-hidden="true">
        <Progress label={label} share={limit > 0 ? balance / limit : 1} {...(isWarning && { tone: 'warning' })} />
      </span>
    </span>
  )
}
