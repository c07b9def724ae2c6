import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Job } from '@watchdesk/contract/jobs'
import { useEffect } from 'react'
import { formatCount } from '../../ui/display/format.ts'
import { toastFailure, toastSuccess } from '../../ui/feedback/toast.tsx'
import { isUnfinished, jobsQuery } from './queries.ts'
import { isShown } from './shared/shown-jobs.ts'

/** Kept over a reload of the page, during which a job can end. */
const KEY = 'unfinished jobs'
/** What an import changes. */
const CHANGED = ['sources', 'sheets', 'imports', 'stories-import']

/** Shows a message when a job ends, wherever the person is. */
export function JobWatcher() {
  const client = useQueryClient()
  const { data: jobs } = useQuery(jobsQuery)
  useEffect(() => {
    if (!jobs) return
    const waiting = readIds()
    for (const job of jobs.filter(({ id, state }) => waiting.includes(id) && !isUnfinished({ state }))) {
      for (const key of CHANGED) void client.invalidateQueries({ queryKey: [key] })
      if (!isShown(job.id)) announce(job)
    }
    const ids = jobs.filter(isUnfinished).map(({ id }) => id)
    sessionStorage.setItem(KEY, ids.join())
  }, [jobs, client])
  return null
}

function readIds() {
  return (sessionStorage.getItem(KEY) ?? '').split(',').map(Number)
}

function announce(job: Job) {
  const { state, name, error, import_id } = job
  const link = import_id === null ? undefined : ({ to: '/imports/$id', params: { id: String(import_id) } } as const)
  const more = link && { link }
  if (state === 'done') return toastSuccess(doneText(job), { ...more, isKept: true })
  toastFailure(
    state === 'failed' ? `The import of ${name} failed. ${error}` : `The import of ${name} was cancelled.`,
    more,
  )
}

function doneText({ name, sources, stories }: Job) {
  if (sources) return `${formatCount(sources.requested_count, 'source was', 'sources were')} imported from ${name}`
  const count = stories?.summaries.reduce((sum, { imported_stories_count }) => sum + imported_stories_count, 0) ?? 0
  return `${formatCount(count, 'story was', 'stories were')} imported from ${name}`
}
