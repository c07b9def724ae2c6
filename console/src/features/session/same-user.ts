import { currentUser } from '@watchdesk/contract/session'
import { call } from '../../api/call.ts'
import { endSessionOf } from './queries.ts'

/** Another user must not continue on this user's page: their session ends, and the error says why. */
export async function refuseOtherUser(token: string, expected: { id: number; email: string }) {
  const user = await call(currentUser, { token })
  if (user.id === expected.id) return
  await endSessionOf(token)
  throw new Error(`You signed in as ${user.email}. To continue, sign in as ${expected.email}.`)
}
