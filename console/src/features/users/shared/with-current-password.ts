import { ApiError } from '../../../api/call.ts'
import { fieldErrorsOf } from '../../../ui/form/field-errors.ts'

type Current = { current_password?: string }

/**
 * Sends a change as specified, and again with the current password if the server requires it. Other backends do not
 * know that field, so it is not sent by default. What the server says about it is shown, unless there is a better text.
 */
export async function withCurrentPassword<Result>(
  send: (current: Current) => Promise<Result>,
  text?: string,
): Promise<Result> {
  let current: Current = {}
  while (true) {
    try {
      return await send(current)
    } catch (error) {
      const reason = error instanceof ApiError ? fieldErrorsOf(error.body).current_password : undefined
      if (reason === undefined) throw error
      const { askCurrentPassword } = await import('./current-password.tsx')
      const isWrong = current.current_password !== undefined
      const given = await askCurrentPassword(isWrong ? reason : (text ?? reason), isWrong)
      if (given === undefined) throw error
      current = { current_password: given }
    }
  }
}
