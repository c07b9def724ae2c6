import { integerParam, textParam } from '../../ui/navigation/search-params.ts'
import { NO_WORKSPACE } from '../workspaces/shared/no-workspace.ts'

/** The optional query of create-user. */
export function workspaceSearch({ workspace_id }: Record<string, unknown>): { workspace_id?: number } {
  if (textParam(workspace_id) === undefined) return { workspace_id: undefined }
  return { workspace_id: integerParam(workspace_id) ?? NO_WORKSPACE }
}
