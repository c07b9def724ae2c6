import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { Icon } from '../../ui/display/icon.tsx'
import type { Tone } from '../../ui/display/tag.tsx'
import { saveFile } from '../../ui/file/save-file.ts'
import { FilterChip, FilterChips } from '../../ui/list/filter-chips.tsx'
import { outcomeTone } from '../sheets/shared/outcomes.ts'
import { AlikeList } from './alike.tsx'
import { changeText } from './change-text.ts'
import { PreviewGrid } from './grid.tsx'
import type { FileState, OpenFile } from './open-file.ts'
import classes from './preview.module.css'
import { previewLabel } from './row.tsx'
import { useCountryPicker } from './use-country-picker.ts'
import type { Change, Filter, Outcome } from './worker/messages.ts'

const OUTCOMES: Outcome[] = [
  'requested',
  'repeated in the file',
  'unsupported platform',
  'invalid URL',
  'unknown country',
]

type PreviewProps = {
  state: Extract<FileState, { phase: 'ready' }>
  opened: OpenFile | undefined
  /** Before a change. */
  onChange: () => void
  /** After the corrected file of this version was downloaded. */
  onSaved: (version: number) => void
}

/** The expected outcome of every row, before anything is sent. Rows can be corrected and skipped. */
export function Preview({ state, opened, onChange, onSaved }: PreviewProps) {
  const { parsed, counts, alike, view, changedCount, version } = state
  const sheet = useRef<HTMLElement>(null)
  const [status, setStatus] = useState('')
  const picker = useCountryPicker(opened)
  if (!counts || !opened) return null
  const { filter } = view
  const skipped = counts.skipped ?? 0
  const problems = parsed.count - (counts.requested ?? 0) - skipped

  async function change(wanted: Change) {
    onChange()
    if (wanted.type === 'accept all' || wanted.type === 'paste') setStatus('Applying…')
    // The page shows the failure of the reader instead of the preview.
    const changed = await opened?.change(wanted).catch(() => undefined)
    if (changed) setStatus(changeText(wanted, changed))
    return changed
  }

  function show(wanted: Filter) {
    setStatus('')
    opened?.filter(filter === wanted ? undefined : wanted).catch(() => {})
  }

  async function download() {
    const file = await opened?.correctedFile('closed').catch(() => undefined)
    if (!file) return
    saveFile(file, file.name)
    onSaved(version)
  }

  function chip(label: string, wanted: Filter, count: number, tone?: Tone) {
    const isOn = filter === wanted
    return (
      <FilterChip
        key={label}
        label={label}
        count={count}
        {...(tone && { tone })}
        isOn={isOn}
        disabled={count === 0 && !isOn}
        onClick={() => show(wanted)}
      />
    )
  }

  return (
    <section ref={sheet} className={classes.sheet} aria-labelledby="preview">
      <div className={classes.top}>
        <div className={classes.heading}>
          <h2 id="preview" className={classes.title}>
            Preview
          </h2>
          {(state.canUndo || state.canRedo) && (
            <div className={classes.actions}>
              <Button
                variant="default"
                size="compact-sm"
                disabled={!state.canUndo}
                onClick={() => change({ type: 'undo' })}
              >
                Undo
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                disabled={!state.canRedo}
                onClick={() => change({ type: 'redo' })}
              >
                Redo
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                disabled={changedCount === 0}
                leftSection={<Icon name="download" size={16} />}
                onClick={download}
              >
                Download corrected file
              </Button>
            </div>
          )}
        </div>
        <div className={classes.shares} aria-hidden="true">
          {OUTCOMES.map((each) => (
            <span key={each} data-tone={outcomeTone(each)} style={{ flexGrow: counts[each] ?? 0 }} />
          ))}
        </div>
        <FilterChips label="Filter by outcome">
          {chip('All', undefined, parsed.count)}
          {problems > 0 || filter === 'problems' ? chip('Only problems', 'problems', problems) : null}
          {OUTCOMES.map((each) => chip(previewLabel(each), each, counts[each] ?? 0, outcomeTone(each)))}
          {typeof filter === 'object' && chip('Same error', filter, view.total)}
          {skipped > 0 || filter === 'skipped' ? chip('skipped', 'skipped', skipped, 'plain') : null}
        </FilterChips>
        <AlikeList
          alike={alike}
          onAccept={(key) => void change({ type: 'accept all', key })}
          onEmpty={() => sheet.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })}
          onShow={(key) => show({ alike: key })}
        />
      </div>
      <PreviewGrid
        key={view.count}
        opened={opened}
        total={view.total}
        version={version}
        picker={picker}
        change={change}
        status={status}
      />
    </section>
  )
}
