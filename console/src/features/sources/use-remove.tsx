import { useQueryClient } from '@tanstack/react-query'
import type { MonitoredSource } from '@watchdesk/contract/sources'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { BinLink } from '../bin/shared/bin-link.tsx'
import { refreshSources, removeSource, restoreSource } from './queries.ts'

/** Removes a source after confirmation, and offers to undo it. `onChange` shows it as it is then. */
export function useRemoveSource(onChange?: () => Promise<unknown>) {
  const client = useQueryClient()

  async function refresh() {
    await onChange?.()
    await refreshSources(client)
  }

  return async function remove(source: MonitoredSource) {
    const isSure = await confirm({
      title: 'Remove this source?',
      text: (
        <>
          {source.url} is no longer monitored. <BinLink />
        </>
      ),
      action: 'Remove',
    })
    if (!isSure) return
    try {
      await removeSource(source)
      toastSuccess('Source removed.', {
        undo: { run: () => restoreSource(source).then(refresh), done: `${source.url} restored.` },
      })
    } catch (error) {
      toastError(error)
    }
    await refresh()
    keepFocus()
  }
}
