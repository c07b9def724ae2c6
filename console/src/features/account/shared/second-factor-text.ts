import type { SecondFactorState } from '@watchdesk/contract/account'
import { formatCount } from '../../../ui/display/format.ts'

export function hasSecondFactor({ authenticator, passkeys }: SecondFactorState) {
  return authenticator !== null || passkeys.length > 0
}

/** 'An authenticator app, 2 passkeys and 7 recovery codes.' */
export function secondFactorText(state: SecondFactorState, isPasswordEnough: boolean) {
  if (!hasSecondFactor(state)) return isPasswordEnough ? 'None. The password alone is enough to sign in.' : 'None.'
  const { authenticator, passkeys, recovery_codes_left } = state
  const parts = [
    ...(authenticator ? ['authenticator app'] : []),
    ...(passkeys.length > 0 ? [formatCount(passkeys.length, 'passkey')] : []),
    formatCount(recovery_codes_left, 'recovery code'),
  ]
  const text = `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}
