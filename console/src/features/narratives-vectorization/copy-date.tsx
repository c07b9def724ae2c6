import { Button } from '@mantine/core'
import { Icon } from '../../ui/display/icon.tsx'
import { useCopy } from '../../ui/display/use-copy.ts'
import classes from './page.module.css'

const LABELS = { copied: 'Copied', failed: 'Could not copy' }

/** A run's execution date, which identifies it in status calls. */
export function CopyDate({ date }: { date: string }) {
  const { outcome, copy } = useCopy()
  return (
    <p className={classes.date}>
      <span className={classes.dateLabel}>Execution date</span>
      <code className={classes.code}>{date}</code>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name={outcome === 'copied' ? 'check' : 'copy'} size={16} />}
        onClick={() => copy(date)}
      >
        {outcome ? LABELS[outcome] : 'Copy'}
      </Button>
    </p>
  )
}
