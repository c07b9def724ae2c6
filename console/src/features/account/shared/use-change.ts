import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { toastError, toastSuccess } from '../../../ui/feedback/toast.tsx'
import { keepFocus } from '../../../ui/navigation/keep-focus.ts'

/** Makes a change, shows its result, and reloads what starts with this key. */
export type Change = (send: () => Promise<unknown>, done: string, heading: string) => Promise<void>

/** If the button disappears with what it was for, the heading with this id takes the focus. */
export function useChange(key: QueryKey): Change {
  const client = useQueryClient()
  return async (send, done, heading) => {
    try {
      await send()
      toastSuccess(done)
    } catch (error) {
      toastError(error)
    }
    keepFocus(`#${heading}`)
    await client.invalidateQueries({ queryKey: key })
  }
}
