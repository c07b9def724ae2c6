import { useSearch } from '@tanstack/react-router'
import { formatCount } from '../../../ui/display/format.ts'
import { useChangeSearch } from '../../../ui/list/use-list.ts'
import { WorkspaceSelect } from './workspace-select.tsx'

/** Filters a list by one workspace. */
export function WorkspaceFilter() {
  const { workspace_id, workspace_ids } = useSearch({ strict: false })
  const change = useChangeSearch()
  return (
    <WorkspaceSelect
      aria-label="Workspace"
      placeholder={workspace_ids ? formatCount(workspace_ids.split(',').length, 'workspace') : 'All workspaces'}
      clearable
      value={workspace_id ?? null}
      onChange={(id) => change({ workspace_id: id ?? undefined, workspace_ids: undefined })}
    />
  )
}
