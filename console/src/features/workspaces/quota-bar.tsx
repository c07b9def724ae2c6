import { formatNumber } from '../../ui/format.ts'
import classes from './quota-bar.module.css'

type QuotaBarProps = { label: string; labelId?: string; balance: number; limit: number }

const LOW = 0.1

/** How much of a quota is left, at a glance. */
export function QuotaBar({ label, labelId, balance, limit }: QuotaBarProps) {
  const share = limit > 0 ? Math.min(1, balance / limit) : 0
  const text = `${formatNumber(balance)} of ${formatNumber(limit)}`
  return (
    <div>
      <div className={classes.head}>
        <span id={labelId} className={classes.label}>
          {label}
        </span>
        <span className={classes.text}>{text}</span>
      </div>
      {/* The text above says the same to those who do not see the bar. */}
      <div className={classes.track} data-low={(limit > 0 && share <= LOW) || undefined} aria-hidden="true">
        <div className={classes.fill} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
