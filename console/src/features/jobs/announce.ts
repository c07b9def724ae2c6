import type { QueryClient } from '@tanstack/react-query'
import type { Job } from '@watchdesk/contract/jobs'
import { formatCount } from '../../ui/display/format.ts'
import { toastFailure, toastSuccess } from '../../ui/feedback/toast.tsx'
import { importQuery } from '../operations/queries.ts'
import { resultText } from '../operations/shared/result-text.ts'
import { isUndo, KINDS, originName } from '../operations/shared/words.ts'

type Words = { subject: string; done: string; linkLabel?: string }

/** Says how a job has ended. */
export async function announce(client: QueryClient, job: Job) {
  const { state, error, import_id } = job
  const { subject, done, linkLabel } = isOfRows(job) ? await wordsOfRows(client, job) : wordsOfFile(job)
  const link = import_id === null ? undefined : ({ to: '/imports/$id', params: { id: String(import_id) } } as const)
  const more = { ...(link && { link }), ...(linkLabel && { linkLabel }) }
  if (state === 'done') return toastSuccess(done, { ...more, isKept: true })
  toastFailure(
    state === 'failed' ? `${subject} failed. ${error}` : `${subject} was cancelled.`,
    link ? { link } : undefined,
  )
}

/** The import knows what was changed. */
async function wordsOfRows(client: QueryClient, { kind, name, import_id }: Job): Promise<Words> {
  const shown =
    import_id === null
      ? undefined
      : await client.fetchQuery({ ...importQuery(import_id), staleTime: 0 }).catch(() => undefined)
  if (!shown) return { subject: `“${name}”`, done: `Done: ${name}` }
  if (kind !== 'undo') {
    return {
      subject: `The ${KINDS[shown.kind].toLowerCase()}`,
      done: `${resultText(shown)}.`,
      linkLabel: 'Show or undo',
    }
  }
  const result = `${originName(shown)}. ${resultText(shown)}.`
  return isUndo(shown)
    ? { subject: `The undo of ${name}`, done: `Undone: ${result}`, linkLabel: 'Show or redo' }
    : { subject: `The redo of ${name}`, done: `Redone: ${result}` }
}

function isOfRows({ kind }: Job) {
  return kind === 'undo' || kind.endsWith('_change')
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
