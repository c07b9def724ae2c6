import { useQueryClient } from '@tanstack/react-query'
import type { Operation } from '@watchdesk/contract/operations/operations'
import { useIdempotencyKey } from '../../api/idempotency-key.ts'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { isUnfinished, undoOperation } from './queries.ts'
import { originName, resultText } from './shared/words.ts'

/** Which import to undo, and the one that is shown. To redo one, its undo is undone. */
export type Undone = { id: number; of: Operation; isRedo: boolean }

/** Opens the dialog that shows what an undo does, and offers to redo afterwards. */
export function useUndo() {
  const client = useQueryClient()
  const { keyOf } = useIdempotencyKey()

  function done(undo: Operation, { of, isRedo }: Undone) {
    const link = { to: '/imports/$id', params: { id: String(undo.id) } } as const
    if (isUnfinished(undo)) {
      const doing = `${isRedo ? 'Redoing' : 'Undoing'} ${originName(of)}.`
      return toastSuccess(`${doing} It continues in the background. You will see a message when it ends.`, {
        link,
        name: 'undo-import',
      })
    }
    const redo = {
      label: 'Redo',
      run: () => undoOperation(client, undo.id, 'leave', keyOf(undo.id)),
      done: `Redone: ${originName(of)}.`,
    }
    toastSuccess(`${isRedo ? 'Redone' : 'Undone'}: ${originName(of)}. ${resultText(undo)}.`, {
      link,
      ...(undo.can_undo && { undo: redo }),
      name: 'undo-import',
    })
  }

  return (undone: Undone) => {
    // Most visitors of the page undo nothing.
    import('./undo-dialog.tsx').then(async ({ askUndo }) => {
      const undo = await askUndo(undone, (changed, key) => undoOperation(client, undone.id, changed, key))
      if (!undo) return
      done(undo, undone)
      keepFocus()
    }, toastError)
  }
}
