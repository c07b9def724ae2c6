import { readToken } from './token.ts'

type Handler = () => Promise<boolean>

let handler: Handler | undefined
let asking: Promise<boolean> | undefined

/** Sets who asks a person to sign in again when a call is answered 401. */
export function onSessionLost(ask: Handler) {
  handler = ask
  return () => {
    if (handler === ask) handler = undefined
  }
}

/** Whether the call that was refused with this token is worth sending again. All calls that wait share one question. */
export async function signedInAgain(refused: string): Promise<boolean> {
  const token = readToken()
  if (token !== null && token !== refused) return true
  asking ??= (handler?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}
