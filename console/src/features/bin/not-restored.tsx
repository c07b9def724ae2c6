import { Button } from '@mantine/core'
import type { BinRecord } from '@watchdesk/contract/bin'
import dialogClasses from '../../ui/dialog/dialog.module.css'
import { nounOf } from '../activity/shared/records.ts'
import classes from './bin.module.css'
import { keyOf } from './records.ts'

type NotRestoredProps = { failed: { record: BinRecord; problem: string }[]; onClose: () => void }

/** What is still in the bin after restoring many, and why. */
export function NotRestored({ failed, onClose }: NotRestoredProps) {
  return (
    <>
      <p className={dialogClasses.text}>{failed.length === 1 ? 'This one is' : 'These are'} still in the bin:</p>
      <ul className={classes.failed}>
        {failed.map(({ record, problem }) => (
          <li key={keyOf(record)}>
            <strong>{record.name}</strong> ({nounOf(record.kind)}): {problem}
          </li>
        ))}
      </ul>
      <div className={dialogClasses.actions}>
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </div>
    </>
  )
}
