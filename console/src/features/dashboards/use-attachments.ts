import { useQueryClient } from '@tanstack/react-query'
import type { Dashboard, DashboardWorkspacesChange } from '@watchdesk/contract/dashboards'
import { formatCount } from '../../ui/display/format.ts'
import { toastError, toastSuccess, type Undo } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { changeDashboardWorkspaces, refreshAttachments } from './queries.ts'

type Workspace = { id: number; name: string }

/** Attaches a dashboard to workspaces and detaches it, and offers to undo that. */
export function useAttachments({ id, name }: Dashboard) {
  const client = useQueryClient()

  async function change(body: DashboardWorkspacesChange) {
    try {
      return await changeDashboardWorkspaces(id, body)
    } finally {
      await refreshAttachments(client)
    }
  }

  /** Reports a change, which `back` takes back: that is a change too, and so on. */
  function undoOf(back: DashboardWorkspacesChange, done: string, doneBefore: string, isRedo = false): Undo {
    let next: DashboardWorkspacesChange | undefined
    return {
      label: isRedo ? 'Redo' : 'Undo',
      run: async () => {
        const { attached, detached } = await change(back)
        next = { attach: detached, detach: attached.map((place) => place.id) }
      },
      done,
      next: () => next && undoOf(next, doneBefore, done, !isRedo),
    }
  }

  async function attach() {
    try {
      const { askWorkspaces } = await import('./attach-dialog.tsx')
      const chosen = await askWorkspaces({ id, name })
      if (!chosen) return
      const { attached } = await change({ attach: chosen.map((workspace) => ({ id: workspace.id })) })
      keepFocus()
      if (attached.length === 0) return toastSuccess(`${name} was attached already.`)
      const words = wordsFor(chosen.filter((workspace) => attached.some((place) => place.id === workspace.id)))
      const [done, undone] = [`${name} attached to ${words}.`, `${name} detached from ${words}.`]
      toastSuccess(done, { undo: undoOf({ detach: attached.map((place) => place.id) }, undone, done) })
    } catch (error) {
      toastError(error)
    }
  }

  async function detach(workspace: Workspace) {
    try {
      const { detached } = await change({ detach: [workspace.id] })
      keepFocus('#workspaces')
      const [done, undone] = [`${name} detached from ${workspace.name}.`, `${name} attached to ${workspace.name}.`]
      toastSuccess(done, detached.length > 0 ? { undo: undoOf({ attach: detached }, undone, done) } : {})
    } catch (error) {
      toastError(error)
    }
  }

  return { attach, detach }
}

function wordsFor(workspaces: Workspace[]) {
  const [first] = workspaces
  return first && workspaces.length === 1 ? first.name : formatCount(workspaces.length, 'workspace')
}
