import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { UserDetails } from '@watchdesk/contract/users'
import { useState } from 'react'
import { formatMoment } from '../../ui/display/format.ts'
import { Changing } from '../../ui/page/can-change.tsx'
import { currentUserQuery } from '../auth/queries.ts'
import classes from './lock-notice.module.css'

type LockNoticeProps = { user: UserDetails; onUnlock: () => Promise<void> }

/** Shown while a user's sign-in is locked after wrong passwords. */
export function LockNotice({ user, onUnlock }: LockNoticeProps) {
  const { data: me } = useQuery(currentUserQuery)
  const [pending, setPending] = useState(false)
  if (!user.locked_until) return null

  async function unlock() {
    setPending(true)
    await onUnlock()
    setPending(false)
  }

  return (
    <div className={classes.notice} role="status">
      <p className={classes.text}>
        Too many wrong passwords were entered for this user. Sign-in is locked until {formatMoment(user.locked_until)},
        but only on the network where the passwords were entered.
      </p>
      {me?.id === user.id ? (
        <p className={classes.text}>Another admin can unlock your account.</p>
      ) : (
        <Changing>
          <Button variant="default" loading={pending} onClick={() => void unlock()}>
            Unlock
          </Button>
        </Changing>
      )}
    </div>
  )
}
