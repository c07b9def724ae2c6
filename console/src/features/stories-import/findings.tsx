import { Button } from '@mantine/core'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { Code } from '../../ui/display/tag.tsx'
import classes from './findings.module.css'
import type { CheckState } from './use-file-check.ts'
import type { Finding } from './worker/messages.ts'

/** The contents of the chosen file, with warnings about its rows. */
export function Findings({ state, onRetry }: { state: CheckState; onRetry: () => void }) {
  if (state.phase === 'reading') {
    return <p className={classes.reading}>Checking the file… {formatCount(state.rows, 'row')}</p>
  }
  if (state.phase === 'failed') {
    return (
      <div className={classes.findings} role="status">
        <div className={classes.warning}>
          <Icon name="alert" />
          <div>
            <p className={classes.text}>
              The file could not be checked before the import. {state.message} You can still try to import it: the
              server checks every row.
            </p>
            <Button className={classes.retry} variant="default" size="compact-sm" onClick={onRetry}>
              Try again
            </Button>
          </div>
        </div>
      </div>
    )
  }
  // Shown as the error of the file field.
  if (state.phase === 'invalid') return null
  const { check } = state
  return (
    <div className={classes.findings} role="status">
      <p className={classes.summary}>
        {formatCount(check.rows, 'row')} in {formatCount(check.narrative_ids.length, 'narrative')}
      </p>
      <Warning
        finding={check.refused}
        text="cannot be imported. Correct the file first: if any row is invalid, nothing is imported."
        isRefusal
      />
      <Warning
        finding={check.wrongIds}
        text="without a platform or content type in message_composite_id. Vectorization runs filtered by platform or content type skip these stories."
      />
      <Warning
        finding={check.wrongSentiments}
        text="with a sentiment_score below -1 or above 1. Check the scale used in the file."
      />
    </div>
  )
}

type WarningProps = { finding: Finding; text: string; isRefusal?: boolean }

function Warning({ finding: { count, examples }, text, isRefusal = false }: WarningProps) {
  if (count === 0) return null
  return (
    <div className={isRefusal ? classes.refusal : classes.warning}>
      <Icon name="alert" />
      <div>
        <p className={classes.text}>
          {formatCount(count, 'row')} {text}
        </p>
        <ul className={classes.rows}>
          {examples.map(({ row, text: cell }) => (
            <li key={row}>
              Row {formatNumber(row)}: {isRefusal ? cell : <Code>{cell}</Code>}
            </li>
          ))}
          {count > examples.length && <li>… and {formatCount(count - examples.length, 'more row', 'more rows')}</li>}
        </ul>
      </div>
    </div>
  )
}
