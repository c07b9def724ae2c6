import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Form, FormRow, FormSheet } from '../../ui/form/form.tsx'
import type { Save } from '../../ui/form/use-save.ts'
import type { LinkTarget } from '../../ui/navigation/back-link.ts'
import { useCanChange } from '../../ui/page/can-change.tsx'
import { currentUserQuery, hasAccount, hasPasswords, seesEverything } from '../auth/queries.ts'
import { WorkspaceSelect } from '../workspaces/shared/workspace-select.tsx'
import { ChoiceFields } from './shared/choice-fields.tsx'
import { PasswordField } from './shared/password-field.tsx'
import { mayUseConsole, type UserValues } from './values.ts'

const SIGNS_OUT = 'They will be signed out, and their API tokens end.'
const NO_ADMIN = 'An auditor cannot be an admin. Turn off Auditor first.'
const NO_AUDITOR = 'An admin cannot be an auditor. Turn off the admin rights first.'

type UserFormProps = {
  save: Save<UserValues>
  action: string
  cancel: LinkTarget
  isNew: boolean
  notice?: ReactNode
}

export function UserForm({ save, action, cancel, isNew, notice }: UserFormProps) {
  const { data: me } = useQuery(currentUserQuery)
  const { form } = save
  const { workspace_id, change_password, password, invite, is_admin, is_super_admin, is_auditor } = form.getValues()
  const canChange = useCanChange()
  const isAdmin = is_admin || is_super_admin
  const before = form.getInitialValues()
  const isSuperAdminNew = hasAccount(me) && !isNew && is_super_admin && !before.is_super_admin
  const isAuditorNew = hasAccount(me) && !isNew && is_auditor && !before.is_auditor && !before.is_super_admin
  // Other backends have no auditors.
  const hasAuditors = is_auditor || (me?.is_auditor !== undefined && seesEverything(me))
  return (
    <Form
      save={save}
      action={action}
      cancel={cancel}
      another={isNew ? 'Create and add another' : undefined}
      isNew={isNew}
      notice={notice}
    >
      <FormSheet>
        <WorkspaceSelect
          label="Workspace"
          placeholder="Choose a workspace"
          required
          allowDeselect={false}
          disabled={me?.is_super_admin === false}
          {...form.getInputProps('workspace_id')}
          value={workspace_id}
        />
        <FormRow>
          <ChoiceFields propsOf={(field) => form.getInputProps(field)} />
        </FormRow>
        <FormRow>
          <TextInput label="First name" required autoComplete="off" {...form.getInputProps('first_name')} />
          <TextInput label="Last name" required autoComplete="off" {...form.getInputProps('last_name')} />
        </FormRow>
        <TextInput
          label="Email"
          type="email"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('email')}
        />
      </FormSheet>
      {hasPasswords(me) && canChange && (
        <FormSheet>
          {!isNew && (
            <Switch label="Change password" {...form.getInputProps('change_password', { type: 'checkbox' })} />
          )}
          <PasswordField
            disabled={!change_password || invite}
            {...form.getInputProps('password')}
            {...(invite && { error: '' })}
            value={password}
          />
          {isNew && hasAccount(me) && (
            <Switch
              label="Invite the user instead"
              description={inviteText(!invite || mayUseConsole(form.getValues()))}
              {...form.getInputProps('invite', { type: 'checkbox' })}
            />
          )}
        </FormSheet>
      )}
      <FormSheet>
        <Switch
          label="Workspace admin"
          description={canChange && is_auditor ? NO_ADMIN : 'Manages the users of this workspace'}
          disabled={is_auditor}
          {...form.getInputProps('is_admin', { type: 'checkbox' })}
        />
        <Switch
          label="Super admin"
          description={
            canChange && me?.is_super_admin === false
              ? 'Only super admins can make someone a super admin'
              : canChange && is_auditor
                ? NO_ADMIN
                : `Full access to all workspaces and settings${isSuperAdminNew ? `. ${SIGNS_OUT}` : ''}`
          }
          disabled={me?.is_super_admin === false || is_auditor}
          {...form.getInputProps('is_super_admin', { type: 'checkbox' })}
        />
        {hasAuditors && (
          <Switch
            label="Auditor"
            description={
              canChange && isAdmin
                ? NO_AUDITOR
                : `Sees everything that super admins see, and can change nothing.${isAuditorNew ? ` ${SIGNS_OUT}` : ''}`
            }
            disabled={me?.is_super_admin === false || isAdmin}
            {...form.getInputProps('is_auditor', { type: 'checkbox' })}
          />
        )}
      </FormSheet>
    </Form>
  )
}

function inviteText(canSignIn: boolean) {
  const text = 'The user chooses a password with a link'
  return canSignIn ? text : `${text}, but cannot sign in to this console without one of the roles below`
}
