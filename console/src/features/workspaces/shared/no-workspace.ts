/** Stands for a `workspace_id` in the address that is not an id. */
export const NO_WORKSPACE = 0
