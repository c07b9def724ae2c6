import type { Account } from '@watchdesk/contract/account'
import { hasSecondFactor } from './shared/second-factor-text.ts'

type State = Account['second_factor']

/** What was added, and what else the first second factor does. */
export function addedText(text: string, before: State) {
  return hasSecondFactor(before) ? text : `${text} Your other sessions ended.`
}

/** What the removal of a second factor does, and what else that of the last one does. */
export function removalText(text: string, before: State, hasPassword: boolean) {
  const count = before.passkeys.length + (before.authenticator ? 1 : 0)
  // The server refuses to remove the last one if it is required.
  if (count > 1 || before.is_required) return text
  const last = hasPassword
    ? 'It is your last second factor: after this, your password alone is enough to sign in, and'
    : 'It is your last second factor:'
  return `${text} ${last} your recovery codes stop working too.`
}
