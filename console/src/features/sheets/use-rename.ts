import { useQueryClient } from '@tanstack/react-query'
import type { Sheet } from '@watchdesk/contract/sheets'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'

/** Asks for a new title. The dialog is loaded on demand, because most visits do not show it. */
export function useRenameSheet() {
  const client = useQueryClient()
  return async function rename(sheet: Pick<Sheet, 'id' | 'title' | 'version'>) {
    try {
      const { openRenameDialog } = await import('./rename-dialog.tsx')
      const title = await openRenameDialog(sheet)
      if (title !== undefined) toastSuccess(`Sheet renamed to “${title}”.`)
    } catch (error) {
      toastError(error)
    }
    await client.invalidateQueries({ queryKey: ['sheets'] })
  }
}
