import { useQueryClient } from '@tanstack/react-query'
import type { Account } from '@watchdesk/contract/account'
import { RECOVERY_CODES } from '@watchdesk/contract/limits'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatLocalDay, formatNumber } from '../../ui/display/format.ts'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { Passkeys } from './passkeys.tsx'
import { ACCOUNT_KEY, removeAuthenticator } from './queries.ts'
import { addedText, removalText } from './second-factor-changes.ts'
import { ActionButton } from './shared/action-button.tsx'
import { Card, Part } from './shared/card.tsx'
import { hasSecondFactor } from './shared/second-factor-text.ts'
import { useChange } from './shared/use-change.ts'

const ID = 'second-factor'
/** So few recovery codes that the user should get new ones. */
const FEW = 3

type SecondFactorProps = {
  account: Account
  /** Whether the user has a password and can sign in with it. */
  hasPassword: boolean
  /** Where nobody signs in with a password, what is left can only be removed. */
  canAdd: boolean
}

export function SecondFactor({ account, hasPassword, canAdd }: SecondFactorProps) {
  const { second_factor, email } = account
  const client = useQueryClient()
  const change = useChange(ACCOUNT_KEY)
  return (
    <Card id={ID} title="Second factor" about={stateOf(account, hasPassword)}>
      {(canAdd || second_factor.authenticator) && (
        <Authenticator authenticator={second_factor.authenticator} canAdd={canAdd} onSetUp={setUp} onRemove={remove} />
      )}
      {(canAdd || second_factor.passkeys.length > 0) && (
        <Passkeys account={account} hasPassword={hasPassword} canAdd={canAdd} heading={`${ID}-title`} />
      )}
      {canAdd && hasSecondFactor(second_factor) && (
        <Part
          title="Recovery codes"
          about={codesLeft(second_factor.recovery_codes_left)}
          actions={<ActionButton onClick={renewCodes}>Generate new codes</ActionButton>}
        />
      )}
    </Card>
  )

  async function setUp(isReplaced: boolean) {
    const { setUpAuthenticator } = await import('./second-factor-dialogs.tsx')
    if (!(await setUpAuthenticator(email, isReplaced))) return
    toastSuccess(isReplaced ? 'Authenticator app replaced.' : addedText('Authenticator app set up.', second_factor))
    await client.invalidateQueries({ queryKey: ACCOUNT_KEY })
  }

  async function remove() {
    const isSure = await confirm({
      title: 'Remove the authenticator app?',
      text: removalText('Its codes stop working.', second_factor, hasPassword),
      action: 'Remove',
    })
    if (isSure) await change(removeAuthenticator, 'Authenticator app removed.', `${ID}-title`)
  }

  async function renewCodes() {
    const { renewCodes } = await import('./second-factor-dialogs.tsx')
    if (!(await renewCodes(email))) return
    toastSuccess('New recovery codes generated.')
    await client.invalidateQueries({ queryKey: ACCOUNT_KEY })
  }
}

type AuthenticatorProps = {
  authenticator: Account['second_factor']['authenticator']
  canAdd: boolean
  onSetUp: (isReplaced: boolean) => Promise<void>
  onRemove: () => Promise<void>
}

function Authenticator({ authenticator, canAdd, onSetUp, onRemove }: AuthenticatorProps) {
  return (
    <Part
      title="Authenticator app"
      about={
        authenticator
          ? `Set up on ${formatLocalDay(authenticator.created_at)}.`
          : 'An app on your phone shows a code, which you enter after your password.'
      }
      actions={
        authenticator ? (
          <>
            {canAdd && (
              <ActionButton aria-label="Replace the authenticator app" onClick={() => onSetUp(true)}>
                Replace
              </ActionButton>
            )}
            <ActionButton aria-label="Remove the authenticator app" onClick={onRemove}>
              Remove
            </ActionButton>
          </>
        ) : (
          <ActionButton aria-label="Set up an authenticator app" onClick={() => onSetUp(false)}>
            Set up
          </ActionButton>
        )
      }
    />
  )
}

function stateOf({ second_factor, has_sso }: Account, hasPassword: boolean) {
  const sentences = [
    !hasPassword
      ? 'It is asked for after a password, and you sign in without one.'
      : hasSecondFactor(second_factor)
        ? 'Nobody can sign in with your password alone.'
        : 'Anyone who knows your password can sign in as you. Add a second factor: an authenticator app or a passkey.',
    second_factor.is_required && 'This server requires you to use a second factor.',
    has_sso && 'When you use single sign-on, the provider asks for a second factor instead.',
  ]
  return sentences.filter(Boolean).join(' ')
}

function codesLeft(count: number) {
  const left = `${formatNumber(count)} of ${RECOVERY_CODES} codes left.${count <= FEW ? ' Generate new ones soon.' : ''}`
  return `${left} Each lets you sign in once without your second factor, for example if you lose your phone.`
}
