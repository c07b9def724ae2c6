import { currentUser } from '@watchdesk/contract/session'
import { call } from '../../api/call.ts'
import { endSessionOf } from './queries.ts'

type Expected = { id: number; email: string }

/** Another user must not continue on this user's page: their session ends, and the error says why. */
export async function refuseOtherUser(token: string, expected: Expected) {
  const user = await call(currentUser, { token })
  if (user.id === expected.id) return
  await endSessionOf(token)
  throw new Error(`You signed in as ${user.email}. To continue, sign in as ${expected.email}.`)
}

/** For a token that is stored already. Another user starts on a new page, without anything of this user in memory. */
export async function leaveToOtherUser(token: string, expected: Expected | undefined): Promise<boolean> {
  if (!expected || (await call(currentUser, { token })).id === expected.id) return false
  window.location.assign('/')
  return true
}
