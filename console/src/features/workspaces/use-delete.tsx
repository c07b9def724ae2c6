import { useQueryClient } from '@tanstack/react-query'
import type { Workspace } from '@watchdesk/contract/workspaces'
import { lazy, Suspense, useRef } from 'react'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatNumber } from '../../ui/display/format.ts'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { BinLink } from '../bin/shared/bin-link.tsx'
import { usersQuery } from '../users/queries.ts'
import { deleteWorkspace, restoreWorkspace } from './queries.ts'

const Impact = lazy(() => import('./shared/impact.tsx').then((module) => ({ default: module.Impact })))

/** Deletes a workspace after confirmation, which says how many users are deleted with it, and offers to undo it. */
export function useDeleteWorkspace() {
  const client = useQueryClient()
  const isAsking = useRef(false)
  const refresh = () =>
    Promise.all(['workspaces', 'users', 'bin'].map((key) => client.invalidateQueries({ queryKey: [key] })))

  async function ask(workspace: Workspace) {
    // The count is optional: a server that cannot count may still delete.
    const users = await client
      .fetchQuery({
        ...usersQuery({ workspace_ids: [workspace.id], page: 1, page_size: 1 }),
        staleTime: 0,
        retry: false,
      })
      .catch(() => undefined)
    return confirm({
      title: 'Are you sure you want to delete this workspace?',
      text: (
        <>
          {lost(workspace.name, users?.total)} <BinLink />
        </>
      ),
      details: (
        <Suspense>
          <Impact id={workspace.id} />
        </Suspense>
      ),
      action: 'Delete',
    })
  }

  return async function remove(workspace: Workspace) {
    // Counting takes a moment; a second click meanwhile would open a second dialog.
    if (isAsking.current) return
    isAsking.current = true
    try {
      if (!(await ask(workspace))) return
      await deleteWorkspace(workspace)
      toastSuccess('Workspace removed successfully!', {
        undo: { run: () => restoreWorkspace(workspace).then(refresh), done: `Workspace ${workspace.name} restored.` },
      })
    } catch (error) {
      toastError(error)
    } finally {
      isAsking.current = false
    }
    await refresh()
    keepFocus()
  }
}

function lost(name: string, users: number | undefined) {
  if (users === undefined) return `This deletes ${name} and all its users, who lose access immediately.`
  if (users === 0) return `This deletes ${name}. It has no users.`
  if (users === 1) return `This deletes ${name} and its only user, who loses access immediately.`
  return `This deletes ${name} and its ${formatNumber(users)} users, who lose access immediately.`
}
