import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Job } from '@watchdesk/contract/jobs'
import { useEffect } from 'react'
import { formatCount } from '../../ui/display/format.ts'
import { toastFailure, toastSuccess } from '../../ui/feedback/toast.tsx'
import { importQuery } from '../imports/queries.ts'
import { resultText } from '../imports/shared/result-text.ts'
import { isUndo, originName } from '../imports/shared/words.ts'
import { isUnfinished, jobsQuery } from './queries.ts'
import { followedJobs, setFollowedJobs } from './shared/follow-job.ts'
import { isShown } from './shared/shown-jobs.ts'

/** What an import changes. */
const CHANGED = ['sources', 'sheets', 'imports', 'stories-import', 'bin', 'history', 'activity']

/** Shows a message when a job ends, wherever the person is. */
export function JobWatcher() {
  const client = useQueryClient()
  const { data: jobs } = useQuery(jobsQuery)
  useEffect(() => {
    if (!jobs) return
    const followed = followedJobs()
    for (const job of jobs.filter(({ id, state }) => followed.includes(id) && !isUnfinished({ state }))) {
      for (const key of CHANGED) void client.invalidateQueries({ queryKey: [key] })
      if (!isShown(job.id)) void announce(job)
    }
    const newest = Math.max(0, ...jobs.map(({ id }) => id))
    // A list that was requested before a job began does not have it.
    const begun = followed.filter((id) => id > newest)
    setFollowedJobs([...jobs.filter(isUnfinished).map(({ id }) => id), ...begun])

    async function announce(job: Job) {
      const { state, error, import_id } = job
      const { subject, done, linkLabel } = isOfRows(job) ? await wordsOfRows(job) : wordsOfFile(job)
      const link = import_id === null ? undefined : ({ to: '/imports/$id', params: { id: String(import_id) } } as const)
      const more = { ...(link && { link }), ...(linkLabel && { linkLabel }) }
      if (state === 'done') return toastSuccess(done, { ...more, isKept: true })
      toastFailure(
        state === 'failed' ? `${subject} failed. ${error}` : `${subject} was cancelled.`,
        link ? { link } : undefined,
      )
    }

    /** The import knows what was changed. */
    async function wordsOfRows({ kind, name, import_id }: Job): Promise<Words> {
      const shown =
        import_id === null
          ? undefined
          : await client.fetchQuery({ ...importQuery(import_id), staleTime: 0 }).catch(() => undefined)
      if (!shown) return { subject: `“${name}”`, done: `Done: ${name}` }
      if (kind !== 'undo') {
        return { subject: 'The change of many sources', done: `${resultText(shown)}.`, linkLabel: 'Show or undo' }
      }
      const result = `${originName(shown)}. ${resultText(shown)}.`
      return isUndo(shown)
        ? { subject: `The undo of ${name}`, done: `Undone: ${result}`, linkLabel: 'Show or redo' }
        : { subject: `The redo of ${name}`, done: `Redone: ${result}`, linkLabel: 'Show or undo' }
    }
  }, [jobs, client])
  return null
}

type Words = { subject: string; done: string; linkLabel?: string }

function isOfRows({ kind }: Job) {
  return kind === 'undo' || kind === 'sources_change'
}

function wordsOfFile({ name, sources, stories }: Job): Words {
  const subject = `The import of ${name}`
  if (sources) {
    return {
      subject,
      done: `${formatCount(sources.requested_count, 'source was', 'sources were')} imported from ${name}`,
    }
  }
  const count = stories?.summaries.reduce((sum, { imported_stories_count }) => sum + imported_stories_count, 0) ?? 0
  return { subject, done: `${formatCount(count, 'story was', 'stories were')} imported from ${name}` }
}
