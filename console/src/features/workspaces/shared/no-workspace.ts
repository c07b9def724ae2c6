/** Represents a `workspace_id` in the address that is not a valid id. */
export const NO_WORKSPACE = 0
