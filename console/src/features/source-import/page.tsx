import { Button, TextInput } from '@mantine/core'
import { isSpreadsheet, SOURCE_IMPORT_MESSAGES, SPREADSHEETS_ADDRESS } from '@watchdesk/contract/source-import'
import { NOTHING_TO_IMPORT } from '@watchdesk/contract/source-row'
import { type SubmitEvent, useRef, useState } from 'react'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatBytes, formatCount, formatNumber } from '../../ui/display/format.ts'
import { Loading } from '../../ui/feedback/loading.tsx'
import { FileField } from '../../ui/file/file-field.tsx'
import { useLeaveGuard } from '../../ui/navigation/use-leave-guard.ts'
import { Page } from '../../ui/page/page.tsx'
import { JobCard } from '../jobs/shared/job-card.tsx'
import { EarlierImports } from '../operations/shared/operation-links.tsx'
import { FileStatus } from './file-status.tsx'
import { SourceImportHelp } from './help.tsx'
import type { FileState } from './open-file.ts'
import classes from './page.module.css'
import { Preview } from './preview.tsx'
import { Failed, Result } from './result.tsx'
import { type Input, useImport } from './use-import.ts'
import { useOpenFile } from './use-open-file.ts'

const DISCARD = {
  title: 'Discard your corrections?',
  text: 'The corrected rows have not been imported. Download the corrected file to keep them.',
  action: 'Discard',
  cancel: 'Keep editing',
}

export function SourceImportPage() {
  const form = useRef<HTMLFormElement>(null)
  const [written, setWritten] = useState('')
  const [refusal, setRefusal] = useState<'url' | 'nothing'>()
  /** The version of the rows that was downloaded. */
  const [saved, setSaved] = useState<number>()
  const { file, choose, retry, state, opened } = useOpenFile()
  const { imported, done, failure, pending, uploaded, jobs, send, forgetFailure } = useImport()
  const url = written.trim()
  const isBusy = state?.phase === 'reading' || state?.phase === 'checking'
  const shown = url === '' ? state : undefined
  const isImported = done !== undefined && done === opened() && !imported?.result.error_message
  const fileError = errorOf(state)
  const hasEdits = state?.phase === 'ready' && state.changedCount > 0 && state.version !== saved && !isImported
  // The import decides; its own result replaces the predicted one.
  const prediction = done === opened() || failure ? undefined : predictionOf(state)

  useLeaveGuard(
    () => hasEdits,
    () => confirm(DISCARD),
  )

  function changed() {
    setRefusal(undefined)
    forgetFailure()
  }

  async function chooseFile(chosen: File | null) {
    if (hasEdits && !(await confirm(DISCARD))) return
    changed()
    setSaved(undefined)
    choose(chosen)
  }

  // Hidden after the import: it shows predicted outcomes, the result the actual ones.
  const isPreviewed = shown?.phase === 'ready' && !predictionOf(state) && !isImported

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending || (isBusy && url === '')) return
    const input = readInput()
    if (input) void send(input, state?.phase === 'ready' ? state.parsed.count : 0)
  }

  /** The input to import. If it is missing or invalid, focuses its field. */
  function readInput(): Input | undefined {
    if (url !== '') {
      if (isSpreadsheet(url)) return url
      setRefusal('url')
    } else {
      if (state?.phase === 'ready') return opened()
      if (state === undefined) setRefusal('nothing')
    }
    focus(state && url === '' ? 'file' : 'url')
  }

  function focus(type: 'file' | 'url') {
    form.current?.querySelector<HTMLElement>(`input[type=${type}]`)?.focus()
  }

  return (
    <Page
      title="Source import"
      isStart
      summary="Import new sources from a file or an online spreadsheet"
      filters={<EarlierImports kind="source_import" />}
    >
      <form
        ref={form}
        className={classes.form}
        data-preview={isPreviewed || undefined}
        noValidate
        aria-busy={pending}
        onSubmit={submit}
      >
        <div className={classes.top}>
          <div className={classes.sheet} inert={pending}>
            <TextInput
              name="sheet_url"
              type="url"
              label="Spreadsheet URL"
              placeholder={`${SPREADSHEETS_ADDRESS}d/…`}
              autoComplete="off"
              spellCheck={false}
              value={written}
              error={refusal === 'url' && SOURCE_IMPORT_MESSAGES.wrong_url}
              onChange={(event) => {
                changed()
                setWritten(event.currentTarget.value)
              }}
            />
            <div className={classes.or}>or</div>
            <FileField
              label="File"
              accept=".csv,.xlsx"
              file={file}
              onChange={chooseFile}
              disabled={url !== ''}
              description={url === '' ? undefined : 'Clear the URL to import a file instead.'}
              error={url === '' && (fileError ?? prediction)}
            />
            {shown && (
              <FileStatus
                state={shown}
                onCancel={() => {
                  void chooseFile(null)
                  focus('file')
                }}
                onRetry={() => {
                  changed()
                  retry()
                  focus('file')
                }}
              />
            )}
          </div>
          {refusal === 'nothing' && <Failed lines={[SOURCE_IMPORT_MESSAGES.nothing_given]} />}
          {failure && <Failed lines={failure} />}
          {imported && <Result {...imported} />}
          {jobs.map((job) => (
            <JobCard key={job.id} job={job}>
              {job.sources && <Result name={job.name} result={job.sources} />}
            </JobCard>
          ))}
        </div>
        {isPreviewed && (
          <div className={classes.preview} inert={pending}>
            <Preview state={shown} opened={opened()} onChange={changed} onSaved={setSaved} />
          </div>
        )}
        <div className={classes.bar}>
          <span className={classes.state}>
            {pending ? waitingText(uploaded) : done !== opened() && !prediction && summaryOf(shown)}
          </span>
          <div className={classes.action}>
            {pending ? (
              <Loading label="Importing" />
            ) : (
              <Button type="submit" disabled={isBusy && url === ''}>
                Import sources
              </Button>
            )}
          </div>
        </div>
        <div className={classes.help}>
          <SourceImportHelp />
        </div>
      </form>
    </Page>
  )
}

/** Why the chosen file cannot be sent. */
function errorOf(state: FileState | undefined) {
  if (state?.phase !== 'invalid' && state?.phase !== 'failed') return undefined
  return [state.message, state.reason].filter(Boolean).join(' ')
}

/** Why the import will find nothing in the chosen file. */
function predictionOf(state: FileState | undefined) {
  if (state?.phase !== 'ready') return undefined
  if (!state.counts) return NOTHING_TO_IMPORT.file.no_url_column
  return state.parsed.count === 0 ? NOTHING_TO_IMPORT.file.no_rows : undefined
}

function waitingText(uploaded: { loaded: number; total: number } | undefined) {
  if (!uploaded) return 'Importing. This may take a minute or two.'
  return `Uploading ${formatBytes(uploaded.loaded)} of ${formatBytes(uploaded.total)}.`
}

function summaryOf(state: FileState | undefined) {
  if (state?.phase !== 'ready' || !state.counts) return ''
  const { requested = 0, skipped = 0 } = state.counts
  const text = `${formatNumber(requested)} of ${formatCount(state.parsed.count, 'row')} can be imported.`
  return skipped > 0 ? `${text} ${formatNumber(skipped)} skipped.` : text
}
