import { useQueryClient } from '@tanstack/react-query'
import type { User } from '@watchdesk/contract/users'
import { useState } from 'react'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { unlockUser } from './queries.ts'

/** Unlocks the sign-in of a user. The button disappears then, so a heading takes the focus. */
export function useUnlock(user: User) {
  const client = useQueryClient()
  const [isUnlocked, setUnlocked] = useState(false)

  async function unlock(heading?: string) {
    try {
      await unlockUser(user)
    } catch (error) {
      return toastError(error)
    }
    setUnlocked(true)
    toastSuccess('User unlocked.')
    keepFocus(heading)
    await client.invalidateQueries({ queryKey: ['users'] })
  }

  return { isUnlocked, unlock }
}
