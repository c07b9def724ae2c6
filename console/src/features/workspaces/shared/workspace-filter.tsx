import { useSearch } from '@tanstack/react-router'
import { useChangeSearch } from '../../../ui/list/use-list.ts'
import { WorkspaceSelect } from './workspace-select.tsx'

/** Filters a list by one workspace. */
export function WorkspaceFilter() {
  const { workspace_id } = useSearch({ strict: false })
  const change = useChangeSearch()
  return (
    <WorkspaceSelect
      aria-label="Workspace"
      placeholder="All workspaces"
      clearable
      value={workspace_id ?? null}
      onChange={(id) => change({ workspace_id: id ?? undefined })}
    />
  )
}
