import { useQueryClient } from '@tanstack/react-query'
import type { Dashboard } from '@watchdesk/contract/dashboards'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { BinLink } from '../bin/shared/bin-link.tsx'
import { deleteDashboard, restoreDashboard } from './queries.ts'

/** Deletes a dashboard after confirmation, and offers to undo it. */
export function useDeleteDashboard() {
  const client = useQueryClient()
  // Workspaces list their dashboards, so any of them may have changed.
  const refresh = () =>
    Promise.all(['dashboards', 'workspaces', 'bin'].map((key) => client.invalidateQueries({ queryKey: [key] })))

  return async function remove(dashboard: Dashboard) {
    const isSure = await confirm({
      title: 'Are you sure you want to delete this dashboard?',
      text: (
        <>
          This deletes {dashboard.name} and removes it from all workspaces. <BinLink />
        </>
      ),
      action: 'Delete',
    })
    if (!isSure) return
    try {
      await deleteDashboard(dashboard)
      toastSuccess('Dashboard removed successfully!', {
        undo: { run: () => restoreDashboard(dashboard).then(refresh), done: `Dashboard ${dashboard.name} restored.` },
      })
    } catch (error) {
      toastError(error)
    }
    await refresh()
    keepFocus()
  }
}
