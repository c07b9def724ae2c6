import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type StoriesImportResult, summaryText } from '@watchdesk/contract/stories-import'
import { useEffect, useRef, useState } from 'react'
import { formatCount, formatNumber } from '../../ui/display/format.ts'
import { RecordedImport } from '../imports/shared/import-links.tsx'
import classes from './imported.module.css'

type Summary = StoriesImportResult['summaries'][number]
type ImportedProps = { name: string } & Pick<StoriesImportResult, 'summaries' | 'import_id' | 'verification'>

const AT_ONCE = 200

/** One line per narrative. */
export function Imported({ name, summaries, ...recorded }: ImportedProps) {
  const [limit, setLimit] = useState(AT_ONCE)
  const heading = useRef<HTMLHeadingElement>(null)
  const left = summaries.length - limit
  // Moves the focus from the form, which is empty again, to the result.
  useEffect(() => heading.current?.focus(), [])

  return (
    <section className={classes.imported} aria-labelledby="imported">
      <h2 ref={heading} id="imported" className={classes.heading} tabIndex={-1}>
        Imported {name}
      </h2>
      {summaries.length > 1 && <p className={classes.sum}>{sum(summaries)}</p>}
      <ul className={classes.lines} aria-labelledby="imported">
        {summaries.slice(0, limit).map((summary) => (
          <li key={summary.narrative_id} className={classes.line}>
            <span className={classes.text}>{summaryText(summary)}</span>
            <span className={classes.also}>{also(summary)}</span>
            <Link
              className={classes.link}
              to="/narratives_vectorization"
              search={{ narrative_id: summary.narrative_id }}
              aria-label={`Vectorize narrative ${summary.narrative_id}`}
            >
              Vectorize this narrative
            </Link>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Button variant="default" onClick={() => setLimit(limit * 5)}>
          Show more ({formatNumber(left)} left)
        </Button>
      )}
      <RecordedImport {...recorded} />
    </section>
  )
}

/** Only some servers return these: duplicate rows and deleted stories. */
function also({ repeated_stories_count: repeated, deleted_stories_count: deleted }: Partial<Summary>) {
  const parts = [
    repeated && `${formatCount(repeated, 'duplicate')} skipped`,
    deleted && `${formatCount(deleted, 'existing story', 'existing stories')} deleted`,
  ]
  return parts.filter(Boolean).join(' · ')
}

function sum(summaries: Summary[]) {
  const stories = summaries.reduce((total, { imported_stories_count }) => total + imported_stories_count, 0)
  return `${formatCount(stories, 'new story', 'new stories')} in ${formatCount(summaries.length, 'narrative')}`
}
