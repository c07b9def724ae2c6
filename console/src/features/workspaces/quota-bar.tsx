import { formatNumber } from '../../ui/display/format.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import classes from './quota-bar.module.css'

type QuotaBarProps = {
  label: string
  labelId?: string
  /** Undefined if the field is empty or not a valid amount. */
  balance: number | undefined
  limit: number | undefined
}

const LOW = 0.1

/** The remaining part of a quota. */
export function QuotaBar({ label, labelId, balance, limit }: QuotaBarProps) {
  const isKnown = balance !== undefined && limit !== undefined
  const share = isKnown && limit > 0 ? balance / limit : 0
  const warning = isKnown ? warningOf(balance, limit) : undefined
  return (
    <div data-warning={warning !== undefined || undefined}>
      <div className={classes.head}>
        <span id={labelId} className={classes.label}>
          {label}
        </span>
        {isKnown && (
          <span className={classes.text}>
            {formatNumber(balance)} left of {formatNumber(limit)}
          </span>
        )}
      </div>
      {/* Hidden from assistive technology: the text above says the same. */}
      <div aria-hidden="true">
        <Progress label={label} share={share} tone={warning && 'warning'} />
      </div>
      {warning && <p className={classes.warning}>{warning}</p>}
    </div>
  )
}

/** Little or nothing is left. */
export function isLow(balance: number, limit: number) {
  return limit > 0 && balance / limit <= LOW
}

function warningOf(balance: number, limit: number) {
  if (balance > limit) return 'The balance is higher than the limit. Check both numbers.'
  if (limit === 0) return undefined
  if (balance === 0) return 'Used up'
  return isLow(balance, limit) ? 'Running low' : undefined
}
