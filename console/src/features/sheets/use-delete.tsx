import { useQueryClient } from '@tanstack/react-query'
import type { Sheet } from '@watchdesk/contract/sheets'
import { ApiError } from '../../api/call.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatCount } from '../../ui/display/format.ts'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { BinLink } from '../bin/shared/bin-link.tsx'
import { deleteSheet, restoreSheet } from './queries.ts'

/** Deletes a sheet after confirmation, and offers to undo it. Resolves to true if it is deleted. */
export function useDeleteSheet() {
  const client = useQueryClient()
  const refresh = () => Promise.all(['sheets', 'bin'].map((key) => client.invalidateQueries({ queryKey: [key] })))

  return async function remove(sheet: Pick<Sheet, 'id' | 'title' | 'row_count' | 'version'>, leave?: () => unknown) {
    const isSure = await confirm({
      title: 'Are you sure you want to delete this sheet?',
      text: (
        <>
          This deletes “{sheet.title}” with {formatCount(sheet.row_count, 'row')}. The sources stay. <BinLink />
        </>
      ),
      action: 'Delete',
    })
    if (!isSure) return
    try {
      await deleteSheet(sheet)
      await leave?.()
      toastSuccess('Sheet deleted.', {
        undo: { run: () => restoreSheet(sheet).then(refresh), done: `${sheet.title} restored.` },
      })
    } catch (error) {
      const isUsed = error instanceof ApiError && error.status === 409
      toastError(error, isUsed ? { label: 'Open the website config', to: '/website_config' } : undefined)
    }
    await refresh()
    keepFocus()
  }
}
