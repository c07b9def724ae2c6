import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type StoriesImportResult, summaryText } from '@watchdesk/contract/stories-import'
import { type CSSProperties, useEffect, useRef } from 'react'
import { formatCount } from '../../ui/display/format.ts'
import { useVirtualList } from '../../ui/list/use-virtual-list.ts'
import { RecordedOperation } from '../operations/shared/operation-links.tsx'
import classes from './imported.module.css'

type Summary = StoriesImportResult['summaries'][number]
type ImportedProps = { name: string } & Pick<StoriesImportResult, 'summaries' | 'import_id' | 'verification'>

const NARROW = '(max-width: 36rem)'
const LINE_PX = 41
const TWO_LINES_PX = 62
const OVERSCAN = 12

/** One line per narrative. */
export function Imported({ name, summaries, ...recorded }: ImportedProps) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const heading = useRef<HTMLHeadingElement>(null)
  // Moves the focus from the form, which is empty again, to the result.
  useEffect(() => heading.current?.focus(), [])

  return (
    <section className={classes.imported} aria-labelledby="imported">
      <h2 ref={heading} id="imported" className={classes.heading} tabIndex={-1}>
        Imported {name}
      </h2>
      {summaries.length > 1 && <p className={classes.sum}>{sum(summaries)}</p>}
      {/* A different height changes every scroll position, so the list is remounted. */}
      <Lines key={String(isNarrow)} summaries={summaries} rowHeight={isNarrow ? TWO_LINES_PX : LINE_PX} />
      <RecordedOperation {...recorded} />
    </section>
  )
}

/** A virtual list, because a file can have a hundred thousand narratives. */
function Lines({ summaries, rowHeight }: { summaries: Summary[]; rowHeight: number }) {
  const box = useRef<HTMLDivElement>(null)
  const list = useVirtualList(box, { rows: summaries.length, rowHeight, headHeight: 0, overscan: OVERSCAN })
  return (
    <div ref={box} className={classes.box} onScroll={list.onScroll}>
      <ul
        className={classes.lines}
        aria-labelledby="imported"
        style={{ ...list.bodyStyle, '--line': `${rowHeight}px` } as CSSProperties}
      >
        {summaries.slice(list.from, list.to).map((summary, index) => (
          <li
            key={summary.narrative_id}
            className={classes.line}
            aria-posinset={list.from + index + 1}
            aria-setsize={summaries.length}
          >
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
    </div>
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
