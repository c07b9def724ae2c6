import classes from './progress.module.css'

type ProgressProps = {
  label: string
  /** From 0 to 1. Undefined if it is not known. */
  share: number | undefined
  tone?: 'error' | 'warning' | 'done'
}

export function Progress({ label, share, tone }: ProgressProps) {
  const percent = share === undefined ? undefined : Math.min(1, Math.max(0, share)) * 100
  return (
    <span
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent === undefined ? undefined : Math.round(percent)}
      data-tone={tone}
      data-unknown={percent === undefined || undefined}
    >
      <span className={classes.fill} style={percent === undefined ? undefined : { width: `${percent}%` }} />
    </span>
  )
}
