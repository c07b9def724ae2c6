import { useState } from 'react'
import { FilterChip, FilterChips } from '../../ui/list/filter-chips.tsx'
import { outcomeTone } from '../sheets/shared/outcomes.ts'
import type { FileState, OpenFile } from './open-file.ts'
import classes from './preview.module.css'
import { PreviewRows, previewLabel } from './rows.tsx'
import type { Outcome } from './worker/messages.ts'

const OUTCOMES: Outcome[] = [
  'requested',
  'repeated in the file',
  'unsupported platform',
  'invalid URL',
  'unknown country',
]

type PreviewProps = { state: Extract<FileState, { phase: 'ready' }>; opened: OpenFile | undefined }

/** The expected outcome of every row, before anything is sent. */
export function Preview({ state: { parsed, counts }, opened }: PreviewProps) {
  const [outcome, setOutcome] = useState<Outcome>()
  if (!counts || !opened) return null
  const total = outcome ? (counts[outcome] ?? 0) : parsed.count
  return (
    <section className={classes.sheet} aria-labelledby="preview">
      <div className={classes.top}>
        <h2 id="preview" className={classes.title}>
          Preview
        </h2>
        <div className={classes.shares} aria-hidden="true">
          {OUTCOMES.map((each) => (
            <span key={each} data-tone={outcomeTone(each)} style={{ flexGrow: counts[each] ?? 0 }} />
          ))}
        </div>
        <FilterChips label="Filter by outcome">
          <FilterChip
            label="All"
            count={parsed.count}
            isOn={outcome === undefined}
            onClick={() => setOutcome(undefined)}
          />
          {OUTCOMES.map((each) => (
            <FilterChip
              key={each}
              label={previewLabel(each)}
              count={counts[each] ?? 0}
              tone={outcomeTone(each)}
              isOn={outcome === each}
              disabled={!counts[each]}
              onClick={() => setOutcome(outcome === each ? undefined : each)}
            />
          ))}
        </FilterChips>
      </div>
      <PreviewRows key={outcome ?? 'all'} opened={opened} outcome={outcome} total={total} />
    </section>
  )
}
