import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { confirm } from '../../ui/dialog/confirm.tsx'
import classes from './access.module.css'

type User = { name: string; isWithPasswords: boolean; hasPassword: boolean; isEnough: boolean }

const ENOUGH = ' Until they set up new ones, their password is enough, unless this server requires a second factor.'

/** Asks before a second factor is reset, and what else may be in the wrong hands. Undefined if the admin cancels. */
export async function confirmReset({ name, isWithPasswords, hasPassword, isEnough }: User) {
  const choice = { end_tokens: true, require_new_password: isWithPasswords }
  const isSure = await confirm({
    title: `Reset the second factor of ${name}?`,
    text: `Their authenticator app, passkeys and recovery codes stop working, and they are signed out everywhere.${isEnough ? ENOUGH : ''} They are shown who did this and when.`,
    details: (
      <div className={classes.choices}>
        <Checkbox
          label="Delete their tokens"
          defaultChecked
          onChange={({ currentTarget }) => {
            choice.end_tokens = currentTarget.checked
          }}
        />
        {isWithPasswords && (
          <Checkbox
            label={hasPassword ? 'Require a new password' : 'Create a link to choose a password'}
            description={
              hasPassword
                ? 'The current one stops working. They choose a new one with a link.'
                : 'They have no password. Users of single sign-on need no link.'
            }
            defaultChecked
            onChange={({ currentTarget }) => {
              choice.require_new_password = currentTarget.checked
            }}
          />
        )}
      </div>
    ),
    action: 'Reset second factor',
  })
  return isSure ? choice : undefined
}
