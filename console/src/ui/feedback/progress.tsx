import classes from './progress.module.css'

type ProgressProps = {
  label: string
  /** From 0 to 1. */
  share: number
  tone?: 'error' | 'warning' | 'done'
}

export function Progress({ label, share, tone }: ProgressProps) {
  const percent = Math.min(1, Math.max(0, share)) * 100
  return (
    <span
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      data-tone={tone}
    >
      <span className={classes.fill} style={{ width: `${percent}%` }} />
    </span>
  )
}
