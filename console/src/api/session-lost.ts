import { tokenOfThisUser } from './token.ts'

/** Why a user has to sign in again: the session has ended, or the call is only for those who just signed in. */
export type SignInReason = 'ended' | 'confirm'

type Handler = (reason: SignInReason, refused: string) => Promise<boolean>

let handler: Handler | undefined
let asking: Promise<boolean> | undefined

/** Sets the handler that asks the user to sign in again after a 401. */
export function onSessionLost(ask: Handler) {
  handler = ask
  return () => {
    if (handler === ask) handler = undefined
  }
}

/** Whether to retry the call that was rejected with this token. All waiting calls share one dialog. */
export async function waitForSignIn(refused: string, reason: SignInReason): Promise<boolean> {
  const token = await tokenOfThisUser()
  if (token !== null && token !== refused) return true
  asking ??= (handler?.(reason, refused) ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}
