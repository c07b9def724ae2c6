import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { Icon } from '../../ui/icon.tsx'
import classes from './page.module.css'

/** The name of a run, as its status is asked by. */
export function CopyDate({ date }: { date: string }) {
  const { copied, copy } = useClipboard({ timeout: 2_000 })
  return (
    <p className={classes.date}>
      <span className={classes.dateLabel}>Execution date</span>
      <code className={classes.code}>{date}</code>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />}
        onClick={() => copy(date)}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </p>
  )
}
