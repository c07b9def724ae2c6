import { Button } from '@mantine/core'
import { SOURCE_IMPORT_MESSAGES } from '@watchdesk/contract/source-import'
import { formatCount } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import classes from './file-status.module.css'
import type { FileState } from './open-file.ts'

type FileStatusProps = { state: FileState; onCancel: () => void; onRetry: () => void }

/** The progress and result of reading a file. Errors are shown under the field itself. */
export function FileStatus({ state, onCancel, onRetry }: FileStatusProps) {
  if (state.phase === 'invalid') return null
  if (state.phase === 'failed') {
    return (
      <Button className={classes.retry} variant="default" size="compact-sm" onClick={onRetry}>
        Try again
      </Button>
    )
  }
  const parsed = state.phase === 'reading' ? undefined : state.parsed
  return (
    <>
      {state.phase === 'reading' && (
        <Progress part={state.part} text={`Reading… ${formatCount(state.records, 'row')}`} onCancel={onCancel} />
      )}
      {state.phase === 'checking' && <Progress part={state.part} text="Checking the rows…" onCancel={onCancel} />}
      <p className={classes.parsed} role="status" hidden={!parsed}>
        {parsed && (
          <>
            <Icon name="check" size={16} />
            {SOURCE_IMPORT_MESSAGES.parsed(parsed.count)}
          </>
        )}
      </p>
      {parsed?.notes.map((note) => (
        <p key={note} className={classes.note}>
          <Icon name="alert" size={16} />
          {note}
        </p>
      ))}
    </>
  )
}

type ProgressProps = { part: number | undefined; text: string; onCancel: () => void }

function Progress({ part, text, onCancel }: ProgressProps) {
  const percent = part === undefined ? undefined : Math.round(part * 100)
  return (
    <div className={classes.progress}>
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Reading the file"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={percent === undefined ? text : undefined}
        data-unknown={percent === undefined || undefined}
      >
        <div className={classes.done} style={{ width: percent === undefined ? undefined : `${percent}%` }} />
      </div>
      <span className={classes.text}>{text}</span>
      <Button variant="default" size="compact-sm" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
