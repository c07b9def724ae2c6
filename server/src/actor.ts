/** The user who makes a call. */
export type Actor = {
  id: number
  name: string
  email: string
  workspace_id: number
  /** Whether the user sees all workspaces. True for auditors too, who are read-only. */
  is_super_admin: boolean
  is_auditor: boolean
  /** Whether the call must not change anything: an auditor's, except about their own account, or one with a read-only token. */
  is_read_only: boolean
  /** Which table has the hash of the token: a person is signed in, or a script uses a token. */
  credential: 'sessions' | 'api_tokens'
  ip: string
  token_hash: Buffer
  session_ends_at: Date
  /** When the user last proved who they are. Null with a token. */
  proved_at: Date | null
}

/** Someone whose sign-in still lacks its second factor. */
export type SigningIn = {
  user_id: number
  token_hash: Buffer
  /** Whether a second factor has to be set up first. */
  mustSetUp: boolean
  ip: string
  user_agent: string | undefined
}
