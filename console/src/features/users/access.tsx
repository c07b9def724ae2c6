import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SessionInfo } from '@watchdesk/contract/account'
import type { UserAccess } from '@watchdesk/contract/auth/user-access'
import type { Invitation, User } from '@watchdesk/contract/users'
import { useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { formatCount, formatMoment } from '../../ui/display/format.ts'
import { Failed } from '../../ui/feedback/failed.tsx'
import { Loading } from '../../ui/feedback/loading.tsx'
import { ActionButton } from '../account/shared/action-button.tsx'
import { Card, Part } from '../account/shared/card.tsx'
import { hasSecondFactor, secondFactorText } from '../account/shared/second-factor-text.ts'
import { SessionRows } from '../account/shared/session-rows.tsx'
import { TokenRows } from '../account/shared/token-rows.tsx'
import { type Change, useChange } from '../account/shared/use-change.ts'
import { currentUserQuery, hasPasswords } from '../auth/queries.ts'
import classes from './access.module.css'
import { Invite } from './invite.tsx'
import { endUserSessions, endUserTokens, fullName, resetSecondFactor, userAccessQuery } from './queries.ts'
import { confirmReset } from './reset-second-factor.tsx'
import { mayUseConsole, NO_ROLE } from './values.ts'

const ID = 'access'
const HEADING = `${ID}-title`

type AccessProps = {
  user: User
  /** Called with true when a link is shown, and with false once it is copied. */
  onLink: (isShown: boolean) => void
  /** The element with this selector takes the focus. */
  onUnlock: (heading: string) => Promise<void>
}

/** How a user signs in, below the form. Renders nothing if the backend has no such call, or the caller may not see it. */
export function Access({ user, onLink, onUnlock }: AccessProps) {
  const { data: me } = useQuery(currentUserQuery)
  const isOwn = me?.id === user.id
  const { data: access, error, refetch } = useQuery({ ...userAccessQuery(user.id), enabled: !isOwn })
  const change = useChange(userAccessQuery(user.id).queryKey)
  if (error instanceof ApiError && [403, 404].includes(error.status)) return null
  return (
    <div className={classes.access}>
      <Card
        id={ID}
        title="Access"
        about={isOwn ? <OwnAccess /> : access && aboutOf(user, access)}
        actions={
          access?.locked_until && <ActionButton onClick={() => onUnlock(`#${HEADING}`)}>Unlock sign-in</ActionButton>
        }
      >
        {access ? (
          <Parts user={user} access={access} isWithPasswords={hasPasswords(me)} change={change} onLink={onLink} />
        ) : error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : (
          !isOwn && <Loading label="Loading the access" />
        )}
      </Card>
    </div>
  )
}

function OwnAccess() {
  return (
    <>
      Your sessions, tokens and second factor are in <Link to="/account">My account</Link>.
    </>
  )
}

type PartsProps = Pick<AccessProps, 'user' | 'onLink'> & {
  access: UserAccess
  isWithPasswords: boolean
  change: Change
}

function Parts({ user, access, isWithPasswords, change, onLink }: PartsProps) {
  const { sessions, tokens, second_factor } = access
  const name = fullName(user)
  const hasPassword = isWithPasswords && access.has_password
  const isEnough = hasPassword && mayUseConsole(user)
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  return (
    <>
      {isWithPasswords && (
        <Invite
          user={user}
          access={access}
          invitation={invitation}
          onInvited={showLink}
          onCopied={() => onLink(false)}
        />
      )}
      <Part
        title="Second factor"
        about={secondFactorText(second_factor, isEnough)}
        actions={hasSecondFactor(second_factor) && <ActionButton onClick={reset}>Reset second factor</ActionButton>}
      />
      <Part
        title="Sessions"
        about={sessions.length === 0 && 'Not signed in.'}
        actions={sessions.length > 1 && <ActionButton onClick={endAll}>End all</ActionButton>}
      >
        {sessions.length > 0 && <SessionRows sessions={sessions} onEnd={endOne} />}
      </Part>
      <Part
        title="Tokens"
        about={tokens.length === 0 && 'No tokens.'}
        actions={tokens.length > 1 && <ActionButton onClick={deleteAll}>Delete all</ActionButton>}
      >
        {tokens.length > 0 && <TokenRows tokens={tokens} onDelete={(token) => deleteOne(token.id, token.name)} />}
      </Part>
    </>
  )

  function showLink(created: Invitation | null) {
    setInvitation(created)
    onLink(Boolean(created?.link))
  }

  async function reset() {
    const choice = await confirmReset({ name, isWithPasswords, hasPassword, isEnough })
    if (!choice) return
    const send = async () => showLink((await resetSecondFactor(user.id, choice)).invitation)
    await change(send, 'Second factor reset.', HEADING)
  }

  async function endOne({ id, device }: SessionInfo) {
    const isSure = await confirm({
      title: `End the session of ${name} on ${device}?`,
      text: 'They have to sign in again there. Nothing they entered is lost.',
      action: 'End session',
    })
    if (isSure) await change(() => endUserSessions(user.id, id), 'Session ended.', HEADING)
  }

  async function endAll() {
    const isSure = await confirm({
      title: `End all sessions of ${name}?`,
      text: 'They have to sign in again everywhere. Nothing they entered is lost.',
      action: 'End all',
    })
    if (isSure) await change(() => endUserSessions(user.id), 'All sessions ended.', HEADING)
  }

  async function deleteAll() {
    const isSure = await confirm({
      title: `Delete all tokens of ${name}?`,
      text: 'Programs that use them can no longer sign in. This cannot be undone.',
      action: 'Delete all',
    })
    if (isSure) await change(() => endUserTokens(user.id), 'All tokens deleted.', HEADING)
  }

  async function deleteOne(id: number, token: string) {
    const isSure = await confirm({
      title: `Delete the token “${token}” of ${name}?`,
      text: 'Programs that use it can no longer sign in. This cannot be undone.',
      action: 'Delete',
    })
    if (isSure) await change(() => endUserTokens(user.id, id), `Token “${token}” deleted.`, HEADING)
  }
}

function aboutOf(user: User, access: UserAccess) {
  return mayUseConsole(user) ? attemptsOf(access) : `${NO_ROLE} ${attemptsOf(access)}`
}

/** Unlocking clears the count, not when the last attempt was. */
function attemptsOf({ failed_count, locked_until, last_failed_at }: UserAccess) {
  const last = last_failed_at ? ` The last one was on ${formatMoment(last_failed_at)}.` : ''
  if (locked_until)
    return `Sign-in is locked until ${formatMoment(locked_until)} after too many failed attempts.${last}`
  if (failed_count > 0)
    return `${formatCount(failed_count, 'failed attempt')} to sign in in the last ten minutes.${last}`
  return last_failed_at
    ? `The last failed attempt to sign in was on ${formatMoment(last_failed_at)}.`
    : 'No failed attempts to sign in.'
}
