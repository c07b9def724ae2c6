import { useQueryClient } from '@tanstack/react-query'
import type { Account, Passkey } from '@watchdesk/contract/account'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatAgo, formatLocalDay } from '../../ui/display/format.ts'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { canUsePasskeys } from '../auth/shared/passkey-support.ts'
import { ACCOUNT_KEY, removePasskey } from './queries.ts'
import { addedText, removalText } from './second-factor-changes.ts'
import { ActionButton } from './shared/action-button.tsx'
import { Part, Row, Rows } from './shared/card.tsx'
import { useChange } from './shared/use-change.ts'

type PasskeysProps = {
  account: Account
  hasPassword: boolean
  canAdd: boolean
  /** The id of the heading that takes the focus after the last one is removed. */
  heading: string
}

export function Passkeys({ account, hasPassword, canAdd, heading }: PasskeysProps) {
  const { second_factor, email } = account
  const { passkeys } = second_factor
  const client = useQueryClient()
  const change = useChange(ACCOUNT_KEY)
  const canUse = canUsePasskeys()
  return (
    <Part
      title="Passkeys"
      about={
        canUse
          ? 'You sign in with your fingerprint, face, PIN or security key, with or without your password.'
          : whyNot()
      }
      actions={canAdd && canUse && <ActionButton onClick={add}>Add passkey</ActionButton>}
    >
      {passkeys.length > 0 && (
        <Rows label="Passkeys">
          {passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              title={passkey.name}
              facts={[
                `Added ${formatLocalDay(passkey.created_at)}`,
                passkey.last_used_at ? `Last used ${formatAgo(passkey.last_used_at)}` : 'Never used',
              ]}
              actions={
                <>
                  <ActionButton aria-label={`Rename the passkey ${passkey.name}`} onClick={() => rename(passkey)}>
                    Rename
                  </ActionButton>
                  <ActionButton aria-label={`Remove the passkey ${passkey.name}`} onClick={() => remove(passkey)}>
                    Remove
                  </ActionButton>
                </>
              }
            />
          ))}
        </Rows>
      )}
    </Part>
  )

  async function add() {
    const { addPasskeyInDialog } = await import('./second-factor-dialogs.tsx')
    if (!(await addPasskeyInDialog(email))) return
    toastSuccess(addedText('Passkey added.', second_factor))
    await client.invalidateQueries({ queryKey: ACCOUNT_KEY })
  }

  async function rename(passkey: Passkey) {
    const { renamePasskeyInDialog } = await import('./second-factor-dialogs.tsx')
    if (!(await renamePasskeyInDialog(passkey))) return
    toastSuccess('Passkey renamed.')
    await client.invalidateQueries({ queryKey: ACCOUNT_KEY })
  }

  async function remove(passkey: Passkey) {
    const isSure = await confirm({
      title: `Remove the passkey “${passkey.name}”?`,
      text: removalText('You can no longer sign in with it. Delete it on the device too.', second_factor, hasPassword),
      action: 'Remove',
    })
    if (isSure) await change(() => removePasskey(passkey), `Passkey “${passkey.name}” removed.`, heading)
  }
}

function whyNot() {
  if (!window.isSecureContext)
    return 'You cannot add passkeys here, because they need HTTPS and you opened this page over plain HTTP.'
  if (!('PublicKeyCredential' in window))
    return 'You cannot add passkeys here, because this browser does not support them.'
  return 'You cannot add passkeys here, because they need a domain name and you opened this page at an IP address.'
}
