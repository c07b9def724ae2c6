import {
  type Account,
  getAccount,
  listAccountEvents,
  listSessions,
  type SecondFactorState,
} from '@watchdesk/contract/account'
import { listTokens } from '@watchdesk/contract/auth/tokens'
import { type Backend, Refusal } from './backend.ts'
import { ME } from './records.ts'

/** A dangerous action is refused until the user signs in again. */
export const CONFIRM = new Refusal(401, 'Sign in again to do this: your last sign-in was more than 15 minutes ago.', {
  'www-authenticate': 'Bearer error="insufficient_user_authentication", max_age="900"',
})

/** The account page of the super admin, without tokens. */
export function answerAccount(backend: Backend, second_factor: Partial<SecondFactorState> = {}) {
  const account: Account = {
    ...ME,
    has_password: true,
    second_factor: {
      authenticator: null,
      passkeys: [],
      recovery_codes_left: 0,
      is_required: false,
      ...second_factor,
    },
    has_sso: false,
    session_idle_minutes: 480,
    session_max_minutes: 1440,
    sessions_max: 20,
  }
  backend.answer(getAccount, account)
  backend.answer(listTokens, { objects: [] })
  backend.answer(listAccountEvents, { objects: [] })
  backend.answer(listSessions, {
    objects: [
      {
        id: 1,
        method: 'password',
        device: 'Firefox on Linux',
        ip: null,
        created_at: '2026-11-17T01:00:00.000Z',
        last_seen_at: '2026-11-17T01:00:00.000Z',
        ends_at: '2026-11-17T09:00:00.000Z',
        is_current: true,
      },
    ],
  })
}
