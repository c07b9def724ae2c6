import { useQueryClient } from '@tanstack/react-query'
import type { Account } from '@watchdesk/contract/account'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { ActionForm } from '../../ui/form/action-form.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { PasswordField } from '../users/shared/password-field.tsx'
import { ACCOUNT_KEY, changePassword } from './queries.ts'

const EMPTY = { current_password: '', password: '' }

/** Users who only sign in through single sign-on have no password yet. */
export function Password({ account: { has_password } }: { account: Account }) {
  const client = useQueryClient()
  const save = useSave({
    initial: EMPTY,
    schema: () => import('@watchdesk/contract/account.schema').then((schema) => schema.changePassword.body),
    body: ({ current_password, password }) => ({ password, ...(has_password && { current_password }) }),
    save: changePassword,
    another: () => EMPTY,
    saved: async () => {
      toastSuccess(has_password ? 'Password changed. Your other sessions ended.' : 'Password set.')
      await client.invalidateQueries({ queryKey: ACCOUNT_KEY })
    },
  })
  const { form, pending, refusals, prepare } = save
  const action = {
    ...{ pending, refusals, prepare },
    failure: undefined,
    errors: form.errors as Record<string, string>,
    // The form stays, empty again.
    submit: () => save.submit(true),
    changed: () => {},
  }
  const title = has_password ? 'Password' : 'Set a password'
  return (
    <ActionForm action={action} title={title} button={has_password ? 'Change password' : 'Set password'}>
      {has_password && (
        <PasswordInput
          label="Current password"
          required
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
      )}
      <PasswordField
        label={has_password ? 'New password' : 'Password'}
        {...form.getInputProps('password')}
        value={form.getValues().password}
      />
    </ActionForm>
  )
}
