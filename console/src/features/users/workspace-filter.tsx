import { useListSearch } from '../../ui/list/use-list.ts'
import { WorkspaceSelect } from './workspace-select.tsx'

/** Narrows the users list down to one workspace. */
export function WorkspaceFilter() {
  const { search, change } = useListSearch()
  return (
    <WorkspaceSelect
      aria-label="Workspace"
      placeholder="All workspaces"
      clearable
      value={search.workspace_id ?? null}
      onChange={(workspace_id) => change({ workspace_id: workspace_id ?? undefined })}
    />
  )
}
