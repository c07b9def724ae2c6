import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { STORIES_BYTES_IN_A_CALL } from '@watchdesk/contract/limits'
import type { StoriesImportResult } from '@watchdesk/contract/stories-import'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useIdempotencyKey } from '../../api/idempotency-key.ts'
import type { Progress } from '../../api/upload.ts'
import { Icon } from '../../ui/display/icon.tsx'
import { FileField } from '../../ui/file/file-field.tsx'
import { WorkerError } from '../../ui/file-reader/connect-worker.ts'
import { ActionForm } from '../../ui/form/action-form.tsx'
import { useAction } from '../../ui/form/use-action.ts'
import { createStoriesJob } from '../jobs/queries.ts'
import { JobCard } from '../jobs/shared/job-card.tsx'
import { hasJobs } from '../jobs/shared/use-has-jobs.ts'
import { useJobs } from '../jobs/shared/use-jobs.ts'
import { UndoNote } from '../operations/shared/operation-links.tsx'
import { Findings } from './findings.tsx'
import classes from './import-form.module.css'
import { importStories } from './queries.ts'
import { useConfirmLeave } from './use-confirm-leave.ts'
import { useFileCheck } from './use-file-check.ts'
import { Waiting } from './waiting.tsx'

// Loaded when it is needed.
const Imported = lazy(() => import('./imported.tsx').then((module) => ({ default: module.Imported })))

type Done = { name: string } & StoriesImportResult

export function ImportForm() {
  const client = useQueryClient()
  const warningId = useId()
  const [file, setFile] = useState<File | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const [progress, setProgress] = useState<Progress>()
  const [done, setDone] = useState<Done>()
  /** Another file may be chosen while the form is loading what it needs to send one. */
  const chosen = useRef(file)
  const upload = useRef<AbortController>(undefined)
  const { state, check, finished } = useFileCheck()
  const { keyOf, renewKey } = useIdempotencyKey()
  const { jobs, add, clear } = useJobs('stories_import')
  const invalid = state?.phase === 'invalid' ? state.message : undefined
  const isSent = progress !== undefined && progress.loaded >= progress.total

  const action = useAction({
    body: () => ({ file }),
    schema: () => import('@watchdesk/contract/stories-import.schema').then(({ StoriesImport }) => StoriesImport),
    send: async ({ file }) => {
      if (file !== chosen.current) return
      if (isDeleting && !(await confirmDeletion(file))) return
      setDone(undefined)
      clear()
      setProgress({ loaded: 0, total: file.size })
      upload.current = new AbortController()
      const { signal } = upload.current
      try {
        // The same file chosen again is the same import.
        const key = keyOf(file.name, file.size, file.lastModified, isDeleting)
        const response = await send(file, { key, signal, onProgress: setProgress })
        renewKey()
        if ('summaries' in response) setDone({ name: file.name, ...response })
        else add(response)
        choose(null)
        setDeleting(false)
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        setProgress(undefined)
      }
    },
  })

  /** A large file is imported by a job, if the backend is known to have jobs. */
  async function send(file: File, options: Parameters<typeof importStories>[1]) {
    const body = { file, delete_existing_stories: isDeleting }
    if (file.size <= STORIES_BYTES_IN_A_CALL || !(await hasJobs(client))) return importStories(body, options)
    const rows_count = state?.phase === 'ready' ? state.check.rows : undefined
    return createStoriesJob({ ...body, rows_count }, options)
  }

  /** Only of the file that is chosen, also after the answer. */
  async function confirmDeletion(asked: File) {
    try {
      // At once, so that a file that is chosen while the code loads is not asked about in place of this one.
      const [{ confirmDelete }, check] = await Promise.all([import('./confirm-delete.tsx'), finished()])
      const isChosen = () => asked === chosen.current
      return isChosen() && (await confirmDelete(check)) && isChosen()
    } catch (error) {
      // Another file was chosen in the meantime.
      if (error instanceof WorkerError && error.reason === 'closed') return false
      throw error
    }
  }

  function choose(file: File | null) {
    chosen.current = file
    setFile(file)
    check(file)
  }

  useConfirmLeave(progress && (isSent ? 'working' : 'uploading'))
  // Leaving the page aborts the upload. Once the server has the whole file, it finishes the import.
  const stop = useRef<() => void>(undefined)
  stop.current = isSent ? undefined : () => upload.current?.abort()
  useEffect(() => () => stop.current?.(), [])

  return (
    <div className={classes.column}>
      <ActionForm
        action={action}
        button="Import stories"
        waiting={progress && <Waiting progress={progress} onCancel={() => upload.current?.abort()} />}
      >
        <FileField
          label="File"
          accept=".csv,.xlsx"
          required
          file={file}
          onChange={(chosen) => {
            choose(chosen)
            action.changed('file')
          }}
          // The import decides; its own errors replace the predicted ones.
          error={action.errors.file || (!action.failure && invalid)}
          data-path="file"
        />
        {state && !action.failure && <Findings state={state} onRetry={() => check(file)} />}
        <Checkbox
          label="Delete existing stories from narratives in file?"
          classNames={{ input: classes.box }}
          checked={isDeleting}
          onChange={(event) => setDeleting(event.currentTarget.checked)}
          aria-describedby={isDeleting ? warningId : undefined}
        />
        {isDeleting && (
          <p id={warningId} className={classes.warning}>
            <Icon name="alert" />
            <span>
              All existing stories of the narratives in the file are deleted, with their vectors, before the new stories
              are imported. <UndoNote />
            </span>
          </p>
        )}
      </ActionForm>
      <Suspense>{done && <Imported {...done} />}</Suspense>
      {jobs.map((job) => (
        <JobCard key={job.id} job={job}>
          <Suspense>{job.stories && <Imported name={job.name} {...job.stories} />}</Suspense>
        </JobCard>
      ))}
    </div>
  )
}
