import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Account } from '@watchdesk/contract/account'
import { Loading } from '../../ui/feedback/loading.tsx'
import { toastSuccess } from '../../ui/feedback/toast.tsx'
import { Form, FormRow } from '../../ui/form/form.tsx'
import { useInitialData } from '../../ui/form/use-initial-data.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { ChoiceField } from '../users/shared/choice-fields.tsx'
import { emailTaken } from '../users/shared/email-taken.ts'
import { ACCOUNT_KEY, accountQuery, updateAccount } from './queries.ts'

type Profile = Pick<Account, 'id' | 'first_name' | 'last_name' | 'email' | 'language' | 'version'>

export function ProfileForm() {
  const { data: profile, edition, restart } = useInitialData(accountQuery)
  // The page shows an error of the query itself.
  if (!profile) return <Loading />
  return <Fields key={edition} profile={profile} onSaved={(saved) => restart({ ...profile, ...saved })} />
}

function Fields({ profile, onSaved }: { profile: Profile; onSaved: (saved: Profile) => void }) {
  const client = useQueryClient()
  const save = useSave({
    initial: valuesOf(profile),
    schema: () => import('@watchdesk/contract/account.schema').then((schema) => schema.AccountUpdate),
    body: ({ email, ...values }) => ({ ...values, email: email.trim() }),
    save: updateAccount,
    fieldErrors: emailTaken,
    saved: async (saved, { note }) => {
      toastSuccess('Profile saved.', { note })
      onSaved(saved)
      await client.invalidateQueries({ queryKey: ACCOUNT_KEY })
      // The name in the top bar.
      await client.invalidateQueries({ queryKey: ['users'] })
    },
    version: profile.version,
    conflict: {
      record: { entity: 'user', id: profile.id },
      texts: () => import('../users/shared/labels.ts'),
      load: async () => {
        const theirs = await client.fetchQuery({ ...accountQuery, staleTime: 0 })
        return { values: valuesOf(theirs), version: theirs.version }
      },
      history: () => import('../activity/shared/authors.ts'),
    },
  })
  const { form } = save
  return (
    <Form save={save} action="Save profile" isPart>
      <FormRow>
        <TextInput label="First name" required autoComplete="given-name" {...form.getInputProps('first_name')} />
        <TextInput label="Last name" required autoComplete="family-name" {...form.getInputProps('last_name')} />
      </FormRow>
      <FormRow>
        <TextInput
          label="Email"
          type="email"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('email')}
        />
        <ChoiceField of="language" {...form.getInputProps('language')} />
      </FormRow>
    </Form>
  )
}

function valuesOf({ first_name, last_name, email, language }: Profile) {
  return { first_name, last_name, email, language }
}
