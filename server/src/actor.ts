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
}
