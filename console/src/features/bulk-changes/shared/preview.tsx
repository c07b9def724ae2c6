import type { BulkPreview } from '@watchdesk/contract/bulk-changes'
import { useEffect, useRef } from 'react'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import { showValue } from '../../activity/shared/labels.ts'
import { type ChangedRow, rowsOf } from '../../activity/shared/rows.ts'
import { useNames } from '../../activity/shared/values.tsx'
import type { Records } from '../queries.ts'
import classes from './change-dialog.module.css'
import type { Operation } from './operation.ts'

type PreviewProps<Change, Values> = {
  preview: BulkPreview
  records: Pick<Records<Change>, 'noun'>
  operation: Operation<Change, Values>
  values: Values
}

/** What will change, what will not and why. It gets the focus, and so is read out. */
export function Preview<Change, Values>({
  preview,
  records: { noun },
  operation,
  values,
}: PreviewProps<Change, Values>) {
  const { changed_count, changed_fields, unchanged_count, refused_count, refused, notes } = preview
  const summary = useRef<HTMLParagraphElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another preview is read out too
  useEffect(() => summary.current?.focus(), [preview])
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
      <Examples preview={preview} noun={noun} />
      {refused_count > 0 && (
        <section className={classes.refused} aria-label="Left out">
          <p className={classes.heading}>{formatCount(refused_count, `${noun} is`, `${noun}s are`)} left out:</p>
          <ul className={classes.list}>
            {refused.map(({ reason, count, examples }) => (
              <li key={reason}>
                {namesOf(examples, count)}
                <span className={classes.value}>{reason}</span>
              </li>
            ))}
          </ul>
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
  const all = changed.map(({ id, name, changes }) => ({ id, name, rows: rowsOf(noun, changes) }))
  const nameOf = useNames(all.flatMap(({ rows }) => rows))
  if (all.length === 0) return null
  if (all.every(({ rows }) => rows.length === 0)) return <p className={classes.text}>{namesOf(all, changed_count)}</p>
  const others = changed_count - all.length
  const textOf = ({ label, path, before, after }: ChangedRow) =>
    `${label}: ${showValue(noun, path, before, nameOf)} → ${showValue(noun, path, after, nameOf)}`
  return (
    <ul className={classes.list} aria-label="What changes">
      {all.map(({ id, name, rows }) => (
        <li key={id}>
          {name}
          {rows.map((row) => (
            <span key={row.path} className={classes.value}>
              {textOf(row)}
            </span>
          ))}
        </li>
      ))}
      {others > 0 && <li className={classes.soft}>… and {formatNumber(others)} more</li>}
    </ul>
  )
}
