import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UserDetails } from '@watchdesk/contract/users'
import { useState } from 'react'
import { formatMoment } from '../../ui/display/format.ts'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { Changing } from '../../ui/page/can-change.tsx'
import { currentUserQuery } from '../session/queries.ts'
import classes from './lock-notice.module.css'
import { unlockUser } from './queries.ts'

/** Shown while a user's sign-in is locked after wrong passwords. */
export function LockNotice({ user }: { user: UserDetails }) {
  const client = useQueryClient()
  const { data: me } = useQuery(currentUserQuery)
  const [state, setState] = useState<'locked' | 'pending' | 'unlocked'>('locked')
  if (!user.locked_until || state === 'unlocked') return null

  async function unlock() {
    setState('pending')
    try {
      await unlockUser(user)
      setState('unlocked')
      toastSuccess('User unlocked.')
      await client.invalidateQueries({ queryKey: ['users'] })
    } catch (error) {
      setState('locked')
      toastError(error)
    }
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
          <Button variant="default" loading={state === 'pending'} onClick={() => void unlock()}>
            Unlock
          </Button>
        </Changing>
      )}
    </div>
  )
}
