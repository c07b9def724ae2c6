import { currentUser } from '@watchdesk/contract/auth/session'
import { call } from '../../api/call.ts'
import { leaveWithoutAsking } from '../../ui/navigation/use-leave-guard.ts'
import { endSessionOf } from './queries.ts'

type Expected = { id: number; email: string }

/** Another user must not continue on this user's page: their session ends, and the error says why. */
export async function refuseOtherUser(token: string, expected: Expected) {
  const user = await call(currentUser, { token })
  if (user.id === expected.id) return
  await endSessionOf(token)
  throw new Error(`You signed in as ${user.email}. To continue, sign in as ${expected.email}.`)
}

/** For a token that is stored already. Unless it is of this user, the page starts again, with nothing of this user in memory. */
export async function leaveToOtherUser(token: string, expected: Expected | undefined): Promise<void> {
  const user = await call(currentUser, { token }).catch(() => undefined)
  if (user && user.id === expected?.id) return
  leaveWithoutAsking()
  window.location.assign('/')
  // Never resolves: nothing is sent for the other user.
  await new Promise(() => {})
}
