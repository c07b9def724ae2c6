import { useQueryClient } from '@tanstack/react-query'
import type { BulkChanged } from '@watchdesk/contract/operations/changes'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { useIdempotencyKey } from '../../../api/idempotency-key.ts'
import { formatCount, formatNumber } from '../../../ui/display/format.ts'
import { toastError, toastSuccess, type Undo } from '../../../ui/feedback/toast.tsx'
import type { AllSelection } from '../../../ui/list/use-all-selection.ts'
import { keepFocus } from '../../../ui/navigation/keep-focus.ts'
import { followJob } from '../../jobs/shared/follow-job.ts'
import { isUnfinished, operationQuery, undoOperation } from '../queries.ts'
import type { BulkOperation } from './bulk-operation.ts'
import type { Chosen, FilterOf, Records } from './change-queries.ts'
import { refreshChanged } from './refresh.ts'
import { resultText } from './words.ts'

type Options<Row, Change> = {
  records: Records<Change>
  selection: AllSelection<Row>
  /** All that match are chosen by it. */
  filter?: FilterOf<Change>
}

/** Returns a function that opens the dialog of an operation on the selected records. */
export function useChangeMany<Row extends { id: number }, Change>({
  records,
  selection,
  filter,
}: Options<Row, Change>) {
  const client = useQueryClient()
  const { keyOf } = useIdempotencyKey()

  async function report({ changed_count, refused_count, import_id, job_id }: BulkChanged) {
    const left = refused_count > 0 ? ` ${formatNumber(refused_count)} left out.` : ''
    if (import_id === null) return toastSuccess(`Nothing had to be changed.${left}`)
    const shown = await client.fetchQuery({ ...operationQuery(import_id), staleTime: 0 }).catch(() => undefined)
    const result = shown ? resultText(shown) : `${formatCount(changed_count, records.noun)} changed`
    const link = { to: '/imports/$id', params: { id: String(import_id) } } as const
    if (job_id !== null) {
      const text = `${result}: this continues in the background. You will see a message when it ends.`
      return toastSuccess(text, { link, linkLabel: 'Show progress' })
    }
    toastSuccess(`${result}.${left}`, { link, ...(shown?.can_undo && { undo: undoOf(import_id) }) })
  }

  /** Undoing an undo is a redo, which cannot be undone. */
  function undoOf(id: number, isRedo = false): Undo {
    let undo: Operation | undefined
    return {
      label: isRedo ? 'Redo' : 'Undo',
      run: async () => {
        undo = await undoOperation(client, id, 'leave', keyOf(id))
      },
      done: () => (undo ? undoneText(undo, isRedo) : ''),
      next: () => (undo?.can_undo ? undoOf(undo.id, !isRedo) : undefined),
    }
  }

  return async function change(operation: BulkOperation<Change, unknown>) {
    const chosen = (selection.isAll ? { filter } : { ids: selection.chosen.map(({ id }) => id) }) as Chosen<Change>
    try {
      const { askChange } = await import('./change-dialog.tsx')
      await askChange({
        records,
        operation,
        chosen,
        count: selection.count,
        async send(body, key) {
          const changed = await records.change(body, key)
          // Also if the dialog was closed meanwhile.
          selection.clear()
          if (changed.job_id !== null) void followJob(client, changed.job_id)
          void report(changed)
          void refreshChanged(client)
        },
      })
      keepFocus()
    } catch (error) {
      toastError(error)
    }
  }
}

function undoneText(undo: Operation, isRedo: boolean) {
  if (isUnfinished(undo)) return 'This continues in the background. You will see a message when it ends.'
  return `${isRedo ? 'Redone' : 'Undone'}: ${lowerFirst(resultText(undo))}.`
}

function lowerFirst(text: string) {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
