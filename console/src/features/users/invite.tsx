import { useQuery } from '@tanstack/react-query'
import type { UserAccess } from '@watchdesk/contract/auth/user-access'
import { PASSWORD_LINK_MINUTES } from '@watchdesk/contract/limits'
import type { Invitation, User } from '@watchdesk/contract/users'
import { CopyValue } from '../../ui/display/copy-value.tsx'
import { formatMoment } from '../../ui/display/format.ts'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { ActionButton } from '../account/shared/action-button.tsx'
import { Part } from '../account/shared/card.tsx'
import { fullName, inviteUser, userAccessQuery } from './queries.ts'

type InviteProps = {
  user: User
  access: UserAccess
  /** The newest link that was created on this page. */
  invitation: Invitation | null
  onInvited: (invitation: Invitation) => void
  onCopied: () => void
}

/** Whether the user has a password, and the link to choose one. */
export function Invite({ user, access, invitation, onInvited, onCopied }: InviteProps) {
  const { refetch } = useQuery({ ...userAccessQuery(user.id), enabled: false })
  const { has_password, invitation_expires_at } = access
  return (
    <Part
      title="Password"
      about={useCanChange() ? `${stateOf(access)} ${hintOf(access)}` : stateOf(access)}
      actions={
        <ActionButton onClick={invite}>
          {has_password ? 'Create a password link' : invitation_expires_at ? 'Create a new link' : 'Invite'}
        </ActionButton>
      }
    >
      <div role="status">
        {invitation &&
          (invitation.link === null ? (
            sentText(invitation)
          ) : (
            <NewLink user={user} {...invitation} onCopied={onCopied} />
          ))}
      </div>
    </Part>
  )

  async function invite() {
    try {
      const created = await inviteUser(user.id)
      onInvited(created)
      toastSuccess(created.link === null ? 'Link created. It is on its way.' : 'Link created.')
    } catch (error) {
      toastError(error)
    }
    await refetch()
  }
}

function stateOf({ has_password, invitation_expires_at }: UserAccess) {
  if (has_password) return 'The user has a password.'
  if (!invitation_expires_at) return 'The user has no password.'
  const isValid = Date.parse(invitation_expires_at) > Date.now()
  return `Invited. The link ${isValid ? 'is valid until' : 'expired on'} ${formatMoment(invitation_expires_at)}.`
}

function hintOf({ has_password }: UserAccess) {
  return has_password
    ? `They can choose another password with a link, which is valid for ${PASSWORD_LINK_MINUTES} minutes.`
    : 'They can choose a password with a link.'
}

function sentText({ sent_to, expires_at }: Invitation) {
  return `The link is on its way to ${sent_to}. It is valid until ${formatMoment(expires_at)}.`
}

function NewLink({ user, link, expires_at, onCopied }: Invitation & { user: User; onCopied: () => void }) {
  return (
    <>
      <p>
        Give this link to the user. It is shown only now, is valid until {formatMoment(expires_at)}, and replaces any
        earlier link.
      </p>
      <CopyValue label={`link of ${fullName(user)}`} text={link ?? ''} onCopied={onCopied} />
    </>
  )
}
