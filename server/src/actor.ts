import { SIGN_IN_AGAIN_MINUTES } from '@watchdesk/contract/limits'
import { forbidden, type Problem, refuse, signInAgain } from './problem.ts'

export type Actor = {
  id: number
  name: string
  email: string
  workspace_id: number
  /** As super admins and auditors do. Others see their own workspace. */
  seesEverything: boolean
  isAuditor: boolean
  /** Whether the call may change something: not an auditor's, except about their own account, nor one with a read-only token. */
  mayChange: boolean
  credential: 'session' | 'token' | 'job'
  ip: string
  token_hash: Buffer
  session_ends_at: Date
  /** When the user last proved who they are. Null without a session. */
  proved_at: Date | null
}

/** Where a sign-in comes from. */
export type Client = { ip: string; user_agent: string | undefined }

/** Someone whose sign-in still lacks its second factor. */
export type SigningIn = Client & {
  user_id: number
  token_hash: Buffer
  mustSetUp: boolean
}

export function requireRecentSignIn(actor: Actor) {
  refuse(refusalWithoutRecentSignIn(actor))
}

export function refusalWithoutRecentSignIn({ proved_at }: Actor): Problem | undefined {
  if (proved_at === null) return tokenRefused()
  const isOld = Date.now() - proved_at.getTime() > SIGN_IN_AGAIN_MINUTES * 60_000
  return isOld ? signInAgain() : undefined
}

export function tokenRefused() {
  return forbidden('A token cannot do this. Sign in to the console instead.')
}

export function refusalToChange({ mayChange, isAuditor }: Actor): Problem | undefined {
  if (mayChange) return undefined
  return forbidden(isAuditor ? 'Auditors can see everything, but change nothing.' : 'This token can only read.')
}
