import type { QueryClient } from '@tanstack/react-query'
import type { Job } from '@watchdesk/contract/jobs'
import { OPERATION_KINDS } from '@watchdesk/contract/operations/kinds'
import { toastFailure, toastSuccess } from '../../ui/feedback/toast.tsx'
import { operationQuery } from '../operations/queries.ts'
import { KINDS } from '../operations/shared/kinds.ts'
import { isUndo, originName, resultText } from '../operations/shared/words.ts'

type Words = { subject: string; done: string; linkLabel?: string }

/** Says how a job has ended. */
export async function announce(client: QueryClient, job: Job) {
  const { kind, name, state, error, import_id } = job
  const { imported } = KINDS[kind]
  const { subject, done, linkLabel } = imported ? wordsOfFile(name, imported(job)) : await wordsOfRows(client, job)
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
      : await client.fetchQuery({ ...operationQuery(import_id), staleTime: 0 }).catch(() => undefined)
  if (!shown) return { subject: `“${name}”`, done: `Done: ${name}` }
  if (kind !== 'undo') {
    return {
      subject: `The ${OPERATION_KINDS[shown.kind].label.toLowerCase()}`,
      done: `${resultText(shown)}.`,
      ...(shown.can_undo && { linkLabel: 'Show or undo' }),
    }
  }
  const result = `${originName(shown)}. ${resultText(shown)}.`
  return isUndo(shown)
    ? { subject: `The undo of ${name}`, done: `Undone: ${result}`, linkLabel: 'Show or redo' }
    : { subject: `The redo of ${name}`, done: `Redone: ${result}` }
}

function wordsOfFile(name: string, imported: string): Words {
  return { subject: `The import of ${name}`, done: `${imported} imported from ${name}` }
}
