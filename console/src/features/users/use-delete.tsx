import { useQueryClient } from '@tanstack/react-query'
import type { User } from '@watchdesk/contract/users'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { toastError, toastSuccess } from '../../ui/feedback/toast.tsx'
import { keepFocus } from '../../ui/navigation/keep-focus.ts'
import { BinLink } from '../bin/shared/bin-link.tsx'
import { deleteUser, fullName, restoreUser } from './queries.ts'

/** Deletes a user after confirmation, and offers to undo it. */
export function useDeleteUser() {
  const client = useQueryClient()
  const refresh = () => Promise.all(['users', 'bin'].map((key) => client.invalidateQueries({ queryKey: [key] })))

  return async function remove(user: User) {
    const isSure = await confirm({
      title: 'Are you sure you want to delete this user?',
      text: (
        <>
          {fullName(user)} ({user.email}) loses access immediately. <BinLink />
        </>
      ),
      action: 'Delete',
    })
    if (!isSure) return
    try {
      await deleteUser(user)
      toastSuccess('User removed successfully!', {
        undo: { run: () => restoreUser(user).then(refresh), done: `User ${fullName(user)} restored.` },
      })
    } catch (error) {
      toastError(error)
    }
    await refresh()
    keepFocus()
  }
}
