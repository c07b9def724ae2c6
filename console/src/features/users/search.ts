import { integerParam, textParam } from '../../ui/navigation/search-params.ts'

/** Stands for a `workspace_id` in the address that is not an id. */
export const NO_WORKSPACE = 0

/** The optional query of create-user. */
export function workspaceSearch({ workspace_id }: Record<string, unknown>): { workspace_id?: number } {
  if (textParam(workspace_id) === undefined) return { workspace_id: undefined }
  return { workspace_id: integerParam(workspace_id) ?? NO_WORKSPACE }
}
