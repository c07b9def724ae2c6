/** The user who makes a call. */
export type Actor = {
  id: number
  name: string
  email: string
  workspace_id: number
  is_super_admin: boolean
  ip: string
  token_hash: Buffer
  session_ends_at: Date
  /** Which versions of the rows of the user and the session were read. */
  row_versions: string
  /**
   * False for a user remembered from an earlier call, until the first statement of this call has confirmed the session
   * and the rights. See `db/callers.ts`.
   */
  isConfirmed: boolean
}
