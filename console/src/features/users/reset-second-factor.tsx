import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox } from '@mantine/core'
import { confirm } from '../../ui/dialog/confirm.tsx'
import classes from './access.module.css'

type User = { name: string; hasPassword: boolean; isEnough: boolean }

const ENOUGH = ' Until they set up new ones, their password is enough, unless this server requires a second factor.'

/** Asks before a second factor is reset, and what else may be in the wrong hands. Undefined if the admin cancels. */
export async function confirmReset({ name, hasPassword, isEnough }: User) {
  const choice = { end_tokens: true, require_new_password: hasPassword }
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
        {hasPassword && (
          <Checkbox
            label="Require a new password"
            description="The current one stops working. They choose a new one with a link."
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
