import type { BulkPreview, BulkRecordsQuery } from '@watchdesk/contract/operations/changes'
import { useEffect, useRef } from 'react'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import { AllRecords, RecordItems } from './all-records.tsx'
import type { BulkOperation } from './bulk-operation.ts'
import classes from './change-dialog.module.css'
import { type Records, recordsQuery } from './change-queries.ts'

type PreviewProps<Change> = {
  preview: BulkPreview
  /** What the preview is of. */
  body: Change
  records: Records<Change>
  operation: BulkOperation<Change, unknown>
  values: unknown
}

/** What will change, what will not and why. It gets the focus, and so is read out. */
export function Preview<Change>({ preview, body, records, operation, values }: PreviewProps<Change>) {
  const { noun } = records
  const { changed, changed_count, changed_fields, unchanged_count, refused_count, refused, notes } = preview
  const summary = useRef<HTMLParagraphElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another preview is read out too
  useEffect(() => summary.current?.focus(), [preview])
  const all = (outcome: BulkRecordsQuery['outcome']) => ({ noun, query: recordsQuery(records, body, preview, outcome) })
  return (
    <>
      <p ref={summary} className={classes.summary} tabIndex={-1}>
        {changed_count === 0 ? (
          (operation.nothing ?? 'Nothing would change.')
        ) : (
          <>
            {formatCount(changed_count, noun)} {operation.will(values, changed_count, changed_fields)}.
          </>
        )}
        {unchanged_count > 0 && ` ${unchangedText(unchanged_count, noun, operation.unchanged)}`}
      </p>
      {changed_count > 0 && notes.length > 0 && <p className={classes.text}>{notes.join(' ')}</p>}
      <AllRecords {...all('changed')} label="What changes" count={changed_count} shown={changed.length}>
        <Examples preview={preview} noun={noun} />
      </AllRecords>
      <AllRecords {...all('unchanged')} label="Unchanged" state="unchanged" count={unchanged_count} shown={0} />
      {refused_count > 0 && (
        <section className={classes.refused} aria-label="Left out">
          <p className={classes.heading}>{formatCount(refused_count, `${noun} is`, `${noun}s are`)} left out:</p>
          <AllRecords
            {...all('refused')}
            label="Left out"
            state="left out"
            count={refused_count}
            shown={refused.reduce((sum, { examples }) => sum + examples.length, 0)}
          >
            <ul className={classes.list}>
              {refused.map(({ reason, count, examples }) => (
                <li key={reason}>
                  {namesOf(examples, count)}
                  <span className={classes.value}>{reason}</span>
                </li>
              ))}
            </ul>
          </AllRecords>
        </section>
      )}
    </>
  )
}

function unchangedText(count: number, noun: string, state = 'already like this') {
  return `${formatCount(count, `${noun} is`, `${noun}s are`)} ${state}.`
}

/** 'Vera Moroz, Oleh Bondar and 12 others'. */
function namesOf(examples: { name: string }[], count: number) {
  const names = examples.map(({ name }) => name)
  const others = count - names.length
  return new Intl.ListFormat('en').format(others > 0 ? [...names, formatCount(others, 'other')] : names)
}

/** The first records that change, with their values before and after. */
function Examples({
  preview: { changed, changed_count },
  noun,
}: {
  preview: BulkPreview
  noun: Records<never>['noun']
}) {
  if (changed.length === 0) return null
  if (changed.every(({ changes }) => Object.keys(changes).length === 0)) {
    return <p className={classes.text}>{namesOf(changed, changed_count)}</p>
  }
  const others = changed_count - changed.length
  return (
    <ul className={classes.list} aria-label="What changes">
      <RecordItems noun={noun} records={changed} />
      {others > 0 && <li className={classes.soft}>… and {formatNumber(others)} more</li>}
    </ul>
  )
}
